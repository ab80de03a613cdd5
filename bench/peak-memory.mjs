/**
 * Preloaded into a Node child: writes the most memory it ever held resident, in bytes, to PEAK_MEMORY_FILE when it ends. Linux
 * counts in VmHWM from the program's start; getrusage's maxRSS, for elsewhere, includes what the parent held when it forked.
 */
import { readFileSync, writeFileSync } from 'node:fs';

process.on('exit', () => writeFileSync(process.env.PEAK_MEMORY_FILE, String(peakBytes())));

function peakBytes() {
  if (process.platform !== 'linux') return process.resourceUsage().maxRSS * 1024;
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'));
  return Number(kilobytes) * 1024;
}
