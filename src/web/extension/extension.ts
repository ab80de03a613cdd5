/** Argo CD's UI extension, one file: argocd-server puts it into its page after React and before anything is shown. */
import { argoCd } from './argocd.ts';
import { EXTENSION } from './name.ts';
import { PullsFlyout, PullsPanel, PullTab } from './components.ts';

argoCd.extensionsAPI.registerResourceExtension(PullTab, 'apps', 'DaemonSet', 'Image pulls', { icon: 'fa-download' });
argoCd.extensionsAPI.registerStatusPanelExtension(PullsPanel, 'Image pulls', EXTENSION, PullsFlyout);
