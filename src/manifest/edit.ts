/** The objects of a stream, Lists flattened, and the one way to change them: untouched documents keep their bytes. */
import { printJson } from './json.ts';
import type { KubeObject, Manifest } from './manifest.ts';
import { isList } from './object.ts';
import { printYaml } from './yaml.ts';

export interface Edit {
  replace: ReadonlyMap<KubeObject, KubeObject>;
  drop: ReadonlySet<KubeObject>;
  add: readonly KubeObject[];
}

/** Comment lines at the head of a document, Helm's `# Source:` above all; none that another reader might end elsewhere. */
const LEADING_COMMENTS = /^(?:#[^\n\r\xc2\xe2]*\r?\n)*/;
const NEWLINE = 0x0a;

/** Each object keeps its identity over calls. Lists are flattened; items of typed lists have apiVersion and kind. */
export function objectsIn(manifests: readonly Manifest[]): KubeObject[] {
  return manifests.flatMap(({ object }) => (object === undefined ? [] : flatten(object)));
}

function flatten(object: KubeObject): KubeObject[] {
  return isList(object) ? object.items.flatMap(flatten) : [object];
}

/**
 * Changed documents are written anew (a List as a whole, without it if nothing is left in it), with the comments at their
 * head; added objects become documents at the end. Streams of JSON values stay such: kubectl would not read on in YAML.
 */
export function editStream(manifests: readonly Manifest[], edit: Edit): Manifest[] {
  const edited: Manifest[] = [];
  for (const [index, manifest] of manifests.entries()) {
    const next = editManifest(manifest, edit);
    if (next === undefined || isLeadingNull(edited, next)) continue;
    const isUntouched = next === manifest && edited.at(-1) === manifests[index - 1];
    edited.push(isUntouched ? next : keepApart(edited.at(-1), next));
  }
  const isJson = manifests.some((manifest) => manifest.json === true);
  for (const object of edit.add)
    edited.push(keepApart(edited.at(-1), isJson ? jsonManifest(object) : yamlManifest(object)));
  return edited;
}

/** Only a stream that starts with a brace is read as JSON values, so a null must not come first. */
function isLeadingNull(edited: readonly Manifest[], manifest: Manifest): boolean {
  return edited.length === 0 && manifest.json === true && manifest.object === undefined;
}

function editManifest(manifest: Manifest, edit: Edit): Manifest | undefined {
  if (manifest.object === undefined) return manifest;
  const object = editObject(manifest.object, edit);
  if (object === manifest.object) return manifest;
  return object === undefined ? undefined : rewrite(manifest, object);
}

/** The object itself where nothing in it changes, undefined where nothing of it stays. */
function editObject(object: KubeObject, edit: Edit): KubeObject | undefined {
  if (!isList(object)) return edit.drop.has(object) ? undefined : (edit.replace.get(object) ?? object);
  const items = object.items.map((item) => editObject(item, edit));
  if (items.every((item, index) => item === object.items[index])) return object;
  const left = items.filter((item) => item !== undefined);
  return left.length === 0 ? undefined : { ...object, items: left };
}

function rewrite(manifest: Manifest, object: KubeObject): Manifest {
  if (manifest.json === true) return { ...manifest, body: Buffer.from(printJson(object)), object };
  const { body } = manifest;
  const head =
    LEADING_COMMENTS.exec(Buffer.from(body.buffer, body.byteOffset, body.length).toString('latin1'))?.[0] ?? '';
  return { ...manifest, body: Buffer.concat([body.subarray(0, head.length), Buffer.from(printYaml(object))]), object };
}

const ADDED = { document: 0, line: 0 };
const SEPARATOR = Buffer.from('---\n');

function yamlManifest(object: KubeObject): Manifest {
  return { separator: SEPARATOR, body: Buffer.from(printYaml(object)), position: ADDED, object };
}

function jsonManifest(object: KubeObject): Manifest {
  return { separator: new Uint8Array(0), body: Buffer.from(printJson(object)), position: ADDED, object, json: true };
}

/** After a document that ends without a line break, or in place of one that needed no separator. */
function keepApart(previous: Manifest | undefined, manifest: Manifest): Manifest {
  if (previous === undefined || manifest.json === true) return manifest;
  const separator = manifest.separator.length === 0 ? SEPARATOR : manifest.separator;
  const lastByte = previous.body.at(-1) ?? previous.separator.at(-1);
  if (lastByte !== NEWLINE) return { ...manifest, separator: Buffer.concat([Buffer.from('\n'), separator]) };
  return separator === manifest.separator ? manifest : { ...manifest, separator };
}
