import type { Step } from './step.ts'

/** The results of the tests, as Vitest's JSON reporter writes them. */
export const RESULTS = '.vitest/ci.json'

const npm = (script: string, ...args: readonly string[]): string =>
  ['npm run --silent', script, ...(args.length === 0 ? [] : ['--', ...args])].join(' ')

/** Needs nothing but Node. Red comes early: a failure here ends the run. */
export const CHECKS: readonly Step[] = [
  { name: 'check', command: npm('check', '--without-tests'), seconds: 60 },
  { name: 'engines', command: npm('infra'), seconds: 50, isRepeated: true, isEverywhere: true },
  { name: 'supply chain', command: npm('supply-chain'), seconds: 5 },
  { name: 'docs', command: npm('docs'), seconds: 10 },
]

/** Of the tests; `tests.ts` runs them. */
export const TEST_PROJECTS = [
  { project: 'unit', limitSeconds: 1800, bail: 10 },
  { project: 'components', limitSeconds: 600, bail: 10 },
  { project: 'live', limitSeconds: 3600, bail: 40 },
] as const

/** Read the results of the tests. */
export const VERDICTS: readonly Step[] = [
  { name: 'conformance', command: npm('conformance', '--results', RESULTS), seconds: 2 },
  {
    name: 'rules shown so far',
    command: npm('conformance', '--results', RESULTS, '--since', 'person', '--require'),
    seconds: 2,
  },
]

/** What the tests cost is part of a whole run only: a shard has not run every file. */
export const COSTS: Step = { name: 'test costs', command: npm('test-costs', '--check'), seconds: 1 }

export const SMOKE: Step = { name: 'smoke', command: npm('smoke'), seconds: 40, isRepeated: true }
