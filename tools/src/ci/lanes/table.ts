import type { Step } from '../step.ts'

/**
 * A step that measures, injects faults or tries many inputs. It runs when its closure has changed since its last green
 * run, which docs/ci-lanes.tsv names, and in turn by the date.
 */
export interface Lane extends Step {
  /** The files that it starts with; what they import, also through packages, is its closure. */
  readonly entries: readonly string[]
}

const scenario = (kind: 'bench' | 'chaos', name: string, seconds: number, isAlone = false): Lane => ({
  name: `${kind} ${name}`,
  command: `npm run --silent ${kind} -- ${name} --small`,
  entries: [`${kind}/src/${name}/scenario.ts`],
  seconds,
  isAlone,
  isRepeated: true,
})

/** Benchmarks compare CPU time, which another process hardly changes; what measures waiting runs alone. */
export const LANES: readonly Lane[] = [
  {
    name: 'release',
    command: 'npm run --silent release -- --dry-run',
    entries: ['tools/src/release/main.ts'],
    seconds: 60,
    isRepeated: true,
  },
  {
    name: 'model flows',
    command: 'npm run --silent model -- flows --small',
    entries: ['e2e/src/model/main.ts'],
    seconds: 40,
    isRepeated: true,
  },
  {
    name: 'hostile inputs',
    command: 'npm run --silent hostile-inputs -- --count 20000 --seed 1',
    entries: ['e2e/src/hostile-inputs/main.ts'],
    seconds: 60,
    isRepeated: true,
  },
  {
    name: 'hostile definitions',
    command: 'npm run --silent hostile-inputs -- definitions --count 12 --seed 1',
    entries: ['e2e/src/hostile-inputs/main.ts'],
    seconds: 40,
    isRepeated: true,
  },
  {
    name: 'pdf differential',
    command: 'npm run --silent pdf-differential -- --count 120 --seed 1',
    entries: ['e2e/src/pdf-differential/main.ts'],
    seconds: 60,
    isRepeated: true,
  },
  scenario('chaos', 'bus', 40),
  scenario('chaos', 'restore', 40),
  scenario('chaos', 'rotation', 40),
  scenario('chaos', 'front-doors', 30),
  scenario('chaos', 'delivery', 40),
  scenario('chaos', 'pump', 30),
  scenario('chaos', 'failover', 40),
  scenario('chaos', 'sharing', 40),
  scenario('chaos', 'seal', 40),
  scenario('chaos', 'flows', 50),
  scenario('chaos', 'approval', 40),
  scenario('bench', 'connections', 40),
  scenario('bench', 'sdk', 40),
  scenario('bench', 'forwarder', 30),
  scenario('bench', 'webhooks', 30),
  scenario('bench', 'feed', 30),
  scenario('bench', 'http', 30),
  scenario('bench', 'token', 20),
  scenario('bench', 'idle', 30),
  scenario('chaos', 'isolation', 60, true),
  scenario('bench', 'row-removal', 30, true),
  scenario('bench', 'crypto', 20, true),
]

/** Asks the registry once a day; it is not about the sources. */
export const ADVISORIES: Step = {
  name: 'advisories',
  command: 'npm run --silent supply-chain -- --advisories',
  seconds: 5,
}
