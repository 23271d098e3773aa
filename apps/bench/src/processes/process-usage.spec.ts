import {
  cpuTimeMs,
  parentOf,
  parseCpuTimeMs,
  parseEndedChildrenCpuTimeMs,
  parsePeakResidentMib,
  parseProportionalMib,
  parseResidentMib,
  residentMib,
  serverCpuTimeMs,
} from './process-usage.ts';

describe('process usage', () => {
  it('adds user and system time for any process name', () => {
    const stat = '71 (a) b (c) S 1 71 71 0 -1 4194304 100 0 0 0 25 17 5 5 20 0 11 0 900 1000 200';
    expect([parseCpuTimeMs(stat), parseEndedChildrenCpuTimeMs(stat)]).toEqual([420, 100]);
  });
  it('knows the parent of a process, whose time includes that of its children', () => {
    expect(parentOf(process.pid)).toBe(process.ppid);
    expect(serverCpuTimeMs(process.ppid)).toBeGreaterThanOrEqual(cpuTimeMs(process.pid));
  });
  it('reads resident memory, and the most of it that there was', () => {
    const status = 'VmHWM:\t  4096 kB\nVmRSS:\t    2048 kB\nThreads:\t1\n';
    expect([parseResidentMib(status), parsePeakResidentMib(status)]).toEqual([2, 4]);
  });
  it('reads what a process takes of shared and own memory', () => {
    expect(parseProportionalMib('Rss:     9216 kB\nPss:     3072 kB\nPss_Dirty:  512 kB\n')).toBe(3);
  });
  it('knows nothing of a process that is not there', () => {
    expect([cpuTimeMs(-1), residentMib(-1)]).toEqual([Number.NaN, Number.NaN]);
  });
});
