/** What every renderer is given and gives back. */
import type { Warning } from '../api/warning.ts';
import type { Place } from './place.ts';
import type { HydrateContext, SourceOptions } from './source.ts';

export interface RenderRequest {
  source: SourceOptions;
  place: Place;
  /** Private to this call, removed after it. */
  scratch: string;
  context: HydrateContext;
}

export interface Rendered {
  stream: Uint8Array;
  warnings: Warning[];
}
