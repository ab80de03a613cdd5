/** The presync gate on a real Argo CD: first syncs, tag bumps, bad nodes and missing images, side by side. */
import { playHubs } from './argocd-stage.ts';
import { FIRST_SYNC } from './plays/argocd-first-sync.ts';
import { MISSING_IMAGE } from './plays/argocd-missing-image.ts';
import { NODES } from './plays/argocd-nodes.ts';
import { TAG_BUMP } from './plays/argocd-tag-bump.ts';

// Those that take longest begin first.
playHubs('argocd-presync', [...MISSING_IMAGE, ...TAG_BUMP, ...NODES, ...FIRST_SYNC]);
