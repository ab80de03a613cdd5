/** Run before each suite: properties draw the same inputs each time, unless PREPULLER_SEED says otherwise. */
import fc from 'fast-check';
import { seed } from './long-mode.ts';

fc.configureGlobal({ ...fc.readConfigureGlobal(), seed: seed() });
