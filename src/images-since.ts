/**
 * `prepuller images --since REV`: the app rendered at REV and at HEAD, each from its own tree in a temporary folder, and the two
 * image lists compared. Text of commits is never looked at, so that reordering, quoting and renames change nothing.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findRepository } from './checkout/repository.ts';
import type { Repository } from './checkout/repository.ts';
import { folderIn, resolveCommit, writeTree } from './checkout/tree.ts';
import type { Call, Result } from './command.ts';
import type { Settings } from './config/settings.ts';
import { UserError } from './errors.ts';
import { hydrate } from './hydrate/hydrate.ts';
import { reportOf } from './image-list.ts';
import { objectsIn } from './manifest/edit.ts';
import { readStream } from './manifest/stream.ts';
import { sourceOptions } from './options.ts';
import { changesAsMarkdown, changesAsText, imageChanges } from './prepull/image-changes.ts';
import type { ImageChanges } from './prepull/image-changes.ts';
import type { ImagesReport } from './prepull/images-report.ts';

const NOTHING: ImagesReport = { images: [], skipped: [], warnings: [] };
const FORMS: Record<string, (changes: ImageChanges) => string> = {
  text: changesAsText,
  markdown: changesAsMarkdown,
  json: (changes) => `${JSON.stringify(changes, undefined, 2)}\n`,
};

/** Throws UserError without a repository, for an unknown revision, and where the app cannot be rendered at either commit. */
export async function imagesSince(revision: string, settings: Settings, call: Call): Promise<Result> {
  const repository = await findRepository(call.folder, call.signal);
  if (repository === undefined)
    throw new UserError('--since needs a git repository around the working directory, and git on PATH');
  const from = await resolveCommit(repository, revision);
  const to = await resolveCommit(repository, 'HEAD');
  const scratch = await mkdtemp(join(tmpdir(), 'prepuller-since-'));
  try {
    const older = await folderIn(repository, from, to);
    const before =
      older === undefined
        ? NOTHING
        : await reportAt({ repository, commit: from, folder: older, scratch }, settings, call);
    const after = await reportAt({ repository, commit: to, folder: repository.prefix, scratch }, settings, call);
    const changes = imageChanges({ commit: from, report: before }, { commit: to, report: after });
    const form = FORMS[String(call.options.output)] ?? changesAsText;
    const isNew = {
      message: 'the app did not exist at that commit: every image counts as added',
      fields: { since: revision },
    };
    return { stdout: form(changes), warnings: [...(older === undefined ? [isNew] : []), ...after.warnings] };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface Place {
  repository: Repository;
  commit: string;
  folder: string;
  scratch: string;
}

async function reportAt(
  { repository, commit, folder, scratch }: Place,
  settings: Settings,
  call: Call,
): Promise<ImagesReport> {
  const { env, signal, log } = call;
  const into = await mkdtemp(join(scratch, 'tree-'));
  log.doing(`rendering the app at ${commit.slice(0, 8)}`);
  await writeTree(repository, commit, { into, scratch }, signal);
  const context = { env, signal, timeLimitMs: settings.operator.timeLimitMs, repositoryRoot: into };
  try {
    const { stream, warnings } = await hydrate(sourceOptions(settings), join(into, folder), context);
    const report = reportOf(objectsIn(readStream(stream)), settings);
    return { ...report, warnings: [...warnings, ...report.warnings] };
  } catch (error) {
    if (error instanceof UserError) throw new UserError(`at ${commit.slice(0, 8)}: ${error.message}`, { cause: error });
    throw error;
  }
}
