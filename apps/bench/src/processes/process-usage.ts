import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts a process's time in hundredths of a second. */
const MS_PER_TICK = 10;

/**
 * Processor time that the process with all its threads has used, in milliseconds, to 10 ms. NaN where there is no
 * /proc.
 */
export function cpuTimeMs(pid: number): number {
  return parseCpuTimeMs(readProc(`/proc/${pid}/stat`));
}

/**
 * Processor time of a server that starts a process for each connection, in milliseconds: its own, that of its children,
 * and that of children which have ended. NaN where there is no /proc.
 */
export function serverCpuTimeMs(pid: number): number {
  const ended = parseEndedChildrenCpuTimeMs(readProc(`/proc/${pid}/stat`));
  // One that ends meanwhile is counted the next time.
  return childrenOf(pid).reduce((sum, child) => sum + (cpuTimeMs(child) || 0), cpuTimeMs(pid) + ended);
}

/** The process that started this one. NaN where there is no /proc. */
export function parentOf(pid: number): number {
  return Number(fieldsOf(readProc(`/proc/${pid}/stat`))[1]);
}

/** Resident memory of the process in MiB. NaN where there is no /proc. */
export function residentMib(pid: number): number {
  return parseResidentMib(readProc(`/proc/${pid}/status`));
}

/** The most resident memory that the process has ever had, in MiB. NaN where there is no /proc. */
export function peakResidentMib(pid: number): number {
  return parsePeakResidentMib(readProc(`/proc/${pid}/status`));
}

/**
 * What the process takes of the machine's memory, in MiB: pages that others map, too, count by their share (PSS). NaN
 * where there is no /proc.
 */
export function proportionalMib(pid: number): number {
  return parseProportionalMib(readProc(`/proc/${pid}/smaps_rollup`));
}

/** Reads utime and stime out of /proc/<pid>/stat; the name in it may hold spaces and brackets. */
export function parseCpuTimeMs(stat: string): number {
  const fields = fieldsOf(stat);
  return (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
}

/** Reads cutime and cstime out of /proc/<pid>/stat. */
export function parseEndedChildrenCpuTimeMs(stat: string): number {
  const fields = fieldsOf(stat);
  return (Number(fields[13]) + Number(fields[14])) * MS_PER_TICK;
}

/** From the state on, the third one. */
function fieldsOf(stat: string): string[] {
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function childrenOf(pid: number): number[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger);
  return pids.filter((each) => parentOf(each) === pid);
}

/** Reads VmRSS out of /proc/<pid>/status. */
export function parseResidentMib(status: string): number {
  return Number(/^VmRSS:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Reads VmHWM out of /proc/<pid>/status. */
export function parsePeakResidentMib(status: string): number {
  return Number(/^VmHWM:\s*(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

/** Reads Pss out of /proc/<pid>/smaps_rollup. */
export function parseProportionalMib(rollup: string): number {
  return Number(/^Pss:\s*(\d+) kB$/m.exec(rollup)?.[1]) / 1024;
}

function readProc(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
