/**
 * Chooses the continuous puller's PriorityClass: at the placeholders' priority it never displaces a user, above them it also fits on
 * a node that placeholders fill (zero-to-jupyterhub scheduling.podPriority). Never a name that nothing creates.
 */
import { CONTINUOUS_PRIORITIES } from '../api/choices.ts';
import type { Warning } from '../api/warning.ts';
import type { Hub } from '../manifest/hubs.ts';
import { nameOf, titleOf } from '../manifest/labels.ts';
import type { KubeObject } from '../manifest/manifest.ts';
import { asText, valueAt } from '../manifest/mapping.ts';
import { podSpecOf } from '../manifest/pod-spec.ts';
import { ROLE_LABEL } from '../api/names.ts';
import { clusterName, scopeOf, valueWord } from './names.ts';
import type { PrepullOptions } from './options.ts';

/** The chart's values: placeholders −10, users 0 (zero-to-jupyterhub values.yaml). */
const PLACEHOLDER_VALUE = -10;
const USER_VALUE = 0;

export interface PriorityChoice {
  /** Undefined: the pod names no class. */
  className: string | undefined;
  /** A class of ours to add to the stream. */
  emitted?: KubeObject;
  warnings: Warning[];
}

type Setting = (typeof CONTINUOUS_PRIORITIES)[number];

/** `chartClass` is what the chart's own continuous puller names. */
export function continuousPriority(hub: Hub, chartClass: string | undefined, options: PrepullOptions): PriorityChoice {
  const choice = choose(hub, chartClass, options);
  return { ...choice, warnings: [...choice.warnings, ...placeholderWarnings(hub, choice)] };
}

function choose(hub: Hub, chartClass: string | undefined, options: PrepullOptions): PriorityChoice {
  const setting = CONTINUOUS_PRIORITIES.find((known) => known === options.continuousPriority);
  if (setting === undefined) return { className: options.continuousPriority, warnings: [] };
  const resolved: Setting =
    setting === 'auto' ? (options.gate === 'wave' ? 'above-placeholder' : 'placeholder') : setting;
  if (resolved === 'chart') return { className: chartClass, warnings: [] };
  const rendered = resolved === 'placeholder' ? hub.priorityClasses.placeholder : classBetween(hub);
  if (rendered !== undefined) return { className: nameOf(rendered), warnings: [] };
  if (!options.emitPriorityClass) return { className: chartClass, warnings: [withoutClass(resolved)] };
  const emitted = ownClass(resolved === 'placeholder' ? PLACEHOLDER_VALUE : valueBetween(hub), hub, options);
  return { className: nameOf(emitted), emitted, warnings: [] };
}

/** The chart's class of the pullers, where it lies between placeholders and users. */
function classBetween(hub: Hub): KubeObject | undefined {
  const { puller } = hub.priorityClasses;
  const value = priorityOf(puller);
  const isBetween = value !== undefined && value > placeholderValue(hub) && value < userValue(hub);
  return isBetween ? puller : undefined;
}

/** Halfway up; where no number lies between, the users' own, which displaces no user either. Never above them. */
function valueBetween(hub: Hub): number {
  const [placeholder, user] = [placeholderValue(hub), userValue(hub)];
  return Math.min(user, Math.max(placeholder + 1, Math.ceil((placeholder + user) / 2)));
}

function placeholderValue(hub: Hub): number {
  return priorityOf(hub.priorityClasses.placeholder) ?? PLACEHOLDER_VALUE;
}

function userValue(hub: Hub): number {
  return priorityOf(hub.priorityClasses.default) ?? USER_VALUE;
}

function priorityOf(priorityClass: KubeObject | undefined): number | undefined {
  const value = priorityClass?.value;
  return typeof value === 'number' ? value : undefined;
}

function ownClass(value: number, hub: Hub, options: PrepullOptions): KubeObject {
  return {
    apiVersion: 'scheduling.k8s.io/v1',
    kind: 'PriorityClass',
    metadata: {
      name: clusterName(['priority', valueWord(value)], [], scopeOf(hub, options)),
      labels: { ...hub.labels, [ROLE_LABEL]: 'prerequisite' },
    },
    value,
    globalDefault: false,
    description: 'Pulls user images onto nodes without displacing a user.',
  };
}

function withoutClass(setting: Setting): Warning {
  return {
    message:
      'no PriorityClass may be emitted and the chart renders none that fits: the continuous puller keeps the chart’s choice',
    fields: { 'continuous-priority': setting },
  };
}

function placeholderWarnings(hub: Hub, { className, emitted }: PriorityChoice): Warning[] {
  const { placeholder } = hub;
  if (placeholder === undefined || valueAt(placeholder, 'spec', 'replicas') === 0) return [];
  const theirs = asText(podSpecOf(placeholder)?.spec.priorityClassName);
  const own = priorityOf(emitted);
  const isEqual =
    theirs !== undefined &&
    (theirs === className || (own !== undefined && own === priorityOf(hub.priorityClasses.placeholder)));
  if (!isEqual) return [];
  return [
    {
      message:
        'a node full of user placeholders keeps the continuous puller out, they have the same priority: set continuous-priority to above-placeholder',
      fields: { placeholder: titleOf(placeholder) },
    },
  ];
}
