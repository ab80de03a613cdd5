/** Every case of the shared suite, in the order in which it is printed. */
import { API_CASES } from './api-cases.ts';
import { CREATION_CASES } from './creation-cases.ts';
import { NODE_CASES } from './nodes-cases.ts';
import { PRIORITY_CASES } from './priority-cases.ts';
import type { Case } from './suite.ts';
import { UPDATE_CASES } from './update-cases.ts';

export const CASES: readonly Case[] = [
  ...CREATION_CASES,
  ...NODE_CASES,
  ...UPDATE_CASES,
  ...PRIORITY_CASES,
  ...API_CASES,
];
