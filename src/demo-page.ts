/** The controller's page over the demo: on loopback, open to whoever sits at this machine, at a port that is free. */
import { once } from 'node:events';
import { createWeb } from './controller-web.ts';
import type { Screen } from './screen.ts';
import type { ControllerWeb } from './controller-web.ts';
import type { Clock } from './watch/clock.ts';
import type { Controller } from './watch/controller.ts';

export interface DemoPage extends Pick<ControllerWeb, 'judged' | 'gone' | 'heard' | 'counting'> {
  address: string;
  /** From now on the probes speak of this controller. */
  of(controller: Controller): void;
  /** Until the signal. */
  stay(screen: Screen, signal: AbortSignal): Promise<void>;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
/** Milliseconds for answers under way. */
const STOP_WITHIN = 500;
const NOBODY = { pictureAge: undefined, leading: false, leaseKnown: true, queued: 0, longestLook: 0 };

export async function servePage(home: URL, clock: Clock): Promise<DemoPage> {
  let controller: Controller | undefined;
  const settings = { host: HOST, port: 0, extensionPort: 0, open: 'everything', pictureLimit: Infinity } as const;
  const web = await createWeb({
    settings,
    home,
    state: () => controller?.state() ?? NOBODY,
    now: () => clock.now(),
    remark: () => undefined,
  });
  const served = await web.serve();
  const address = `http://${HOST}:${served.port}/`;
  return {
    judged: web.judged,
    gone: web.gone,
    heard: web.heard,
    counting: web.counting,
    address,
    of(started) {
      controller = started;
    },
    async stay(screen, signal) {
      screen.say(`The page stays up until Ctrl-C: ${address}`);
      if (!signal.aborted) await once(signal, 'abort');
    },
    stop: () => served.stop(STOP_WITHIN),
  };
}
