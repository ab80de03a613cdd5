/**
 * What Argo CD's UI gives an extension and asks of it (ui/src/app/shared/services/extensions-service.ts), as far as it is used: React
 * 16 or later, the two places to be shown at, and the objects that the components get.
 */

export interface Application {
  metadata: { name: string; namespace?: string };
  spec?: { project?: string };
  status?: { operationState?: { phase?: string; startedAt?: string } };
}

export interface TabProps {
  application: Application;
  resource: { metadata?: { name?: string; namespace?: string; labels?: Record<string, string> } };
}

export interface PanelProps {
  application: Application;
  openFlyout: () => void;
}

export interface FlyoutProps {
  application: Application;
}

/** What `createElement` makes; Argo CD's React knows it. */
export interface ReactElement {
  readonly type: unknown;
}

export type Component<P> = (props: P) => ReactElement | null;

type Child = ReactElement | string | null;

interface React {
  createElement: {
    (type: string, props: object | null, ...children: readonly Child[]): ReactElement;
    <P extends object>(type: Component<P>, props: P): ReactElement;
  };
  useEffect: (effect: () => (() => void) | undefined, dependencies: readonly unknown[]) => void;
  useRef: (start: null) => { readonly current: HTMLElement | null };
  useState: <S>(start: S) => [S, (next: S) => void];
}

interface ExtensionsApi {
  registerResourceExtension(
    component: Component<TabProps>,
    group: string,
    kind: string,
    tabTitle: string,
    options?: { icon: string },
  ): void;
  registerStatusPanelExtension(
    component: Component<PanelProps>,
    title: string,
    id: string,
    flyout?: Component<FlyoutProps>,
  ): void;
}

/** `window`, on Argo CD's pages. */
export const argoCd = globalThis as unknown as { readonly React: React; readonly extensionsAPI: ExtensionsApi };
