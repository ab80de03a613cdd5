/** Script, style and icon of the page as the build left them, each under a name that changes with its content. */
import { readdirSync, readFileSync } from 'node:fs';
import { Router } from 'express';

export interface Assets {
  script: string;
  style: string;
  icon: string;
  files: ReadonlyMap<string, Buffer>;
}

const YEAR = 'public, max-age=31536000, immutable';

/** `folder`: dist/page/. */
export function loadAssets(folder: URL): Assets {
  const names = readdirSync(folder);
  const named = (pattern: RegExp): string => {
    const name = names.find((candidate) => pattern.test(candidate));
    if (name === undefined) throw new Error(`the build left no ${pattern.source}`);
    return `/assets/${name}`;
  };
  return {
    script: named(/^live-\w+\.js$/),
    style: named(/^page-\w+\.css$/),
    icon: named(/^icon-\w+\.svg$/),
    files: new Map(names.map((name) => [name, readFileSync(new URL(name, folder))])),
  };
}

export function assetRoutes({ files }: Assets): Router {
  const router = Router();
  router.get('/assets/:name', ({ params: { name } }, response, next) => {
    const body = files.get(name);
    if (body === undefined) next();
    else response.set('Cache-Control', YEAR).type(name).send(body);
  });
  return router;
}
