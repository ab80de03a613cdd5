/** Images that cannot be had, or not by every node, on scripted nodes; test/e2e/real-pulls.test.ts has a real one. */
import { IMAGE_PLAYS } from './plays/images.ts';
import { playTogether } from './stage.ts';

playTogether('verdict-images', IMAGE_PLAYS);
