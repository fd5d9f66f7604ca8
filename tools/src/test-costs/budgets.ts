import type { Cost } from './costs.ts'

/** The kinds of test files. CONTRIBUTING.md says what makes a file cheap. */
export type Kind = 'unit' | 'live' | 'journey'

/** Seconds of CPU on the machine of the committed costs, with all processes that the file starts. */
export const BUDGETS = { unit: 4, live: 20, journey: 45 } satisfies Record<Kind, number>

/** Files that may cost more, each with its reason. */
export const EXCEPTIONS: Readonly<Record<string, { readonly seconds: number; readonly reason: string }>> = {
  'apps/cli/src/plugin-check/plugin-check.test.ts': {
    seconds: 9,
    reason: 'each finding needs a plugin that is wrong in its way, and 25 sealed questions to it',
  },
  'client/sdk/build/package.test.ts': {
    seconds: 9,
    reason: 'compiles the types of the package as a browser, a worker and a program see them, and installs it',
  },
  'e2e/src/person/hostile-server.live.test.ts': {
    seconds: 70,
    reason: 'opens every page under a hundred injections, and under each lie of a hostile server',
  },
  'e2e/src/person/pages.live.test.ts': {
    seconds: 110,
    reason: 'opens every page on a phone and a desk, in each look, and in both languages',
  },
  'apps/region/src/endings/endings-of-persons.live.test.ts': {
    seconds: 30,
    reason: 'a fixture with a row of every kind of record for each ending, whose customer is a person',
  },
  'apps/region/src/endings/endings-of-companies.live.test.ts': {
    seconds: 30,
    reason: 'a fixture with a row of every kind of record for each ending, whose customer is a company',
  },
  'apps/region/src/endings/endings-by-time.live.test.ts': {
    seconds: 30,
    reason: 'a fixture with a row of every kind of record for each ending, of those that days bring',
  },
  'apps/region/src/modules/feed/faults.live.test.ts': {
    seconds: 35,
    reason: 'callers that do not read pages of 20 MB, and a process that is killed while it sends them',
  },
  'apps/region/src/modules/runs/generation-inputs.live.test.ts': {
    seconds: 36,
    reason: 'uploads and fills PDFs for each way in which a call can be refused',
  },
  'apps/region/src/modules/runs/run-endings.live.test.ts': {
    seconds: 30,
    reason: 'generates and signs documents once for each way in which a run ends',
  },
  'e2e/src/zero-knowledge.live.test.ts': {
    seconds: 25,
    reason: 'searches everything that is stored, sent and logged for what persons wrote',
  },
  'io/pdf/src/seal/revocation.live.test.ts': {
    seconds: 30,
    reason: 'makes certificates, lists and sealed files for each state of a revocation, and asks openssl about them',
  },
  'e2e/src/matrix/matrix.live.test.ts': {
    seconds: 100,
    reason: 'calls every route as every kind of caller: 20,000 calls',
  },
  'tools/src/new/new.live.test.ts': {
    seconds: 100,
    reason: 'checks the types, the lint and the tests of what the generator writes, in a copy of the sources',
  },
  'io/objects/src/objects.live.test.ts': {
    seconds: 100,
    reason: 'the guarantees of the object store with files of the largest size, against an S3 server of its own',
  },
  'io/postgres/src/database.live.test.ts': {
    seconds: 30,
    reason: 'servers of its own that are killed, promoted and paused',
  },
  'io/bus/src/bus.live.test.ts': {
    seconds: 50,
    reason: 'the guarantees of the bus, with workers that die and databases that are restored',
  },
  'io/http/src/half-sent.test.ts': {
    seconds: 8,
    reason: 'opens 10,000 connections, as many as a process holds',
  },
  'io/pdf/src/fill/fill.test.ts': {
    seconds: 25,
    reason: 'fills every honest template twice, and hostile ones that are built to be dear',
  },
  'client/vault/src/vault.test.ts': {
    seconds: 7,
    reason: 'derives keys from passwords as slowly as production does',
  },
  'pure/field-types/src/growth.test.ts': {
    seconds: 9,
    reason: 'measures how the time of patterns grows with the text, with the most hostile ones',
  },
  'io/pdf/src/hostile.test.ts': {
    seconds: 12,
    reason: 'reads a hundred hostile files, half of them up to the limits of the reader',
  },
  'io/pdf/src/scan.test.ts': {
    seconds: 22,
    reason:
      'reads hostile templates that are built to be dear up to the limits of the reader, in the gate and in the scan',
  },
}

/** A shared machine also changes CPU times: only clearly more than the budget is too much. */
const TOLERANCE = 1.5
/** Fewer common files say nothing about the machine. */
const LEAST_COMMON_FILES = 20

/** The files in a browser. */
const JOURNEY = /^e2e\/src\/(?:person|browser|approvals)\//v

export function kindOf(file: string): Kind {
  if (!file.endsWith('.live.test.ts')) return 'unit'
  return JOURNEY.test(file) ? 'journey' : 'live'
}

export function budgetMs(file: string): number {
  return 1000 * (EXCEPTIONS[file]?.seconds ?? BUDGETS[kindOf(file)])
}

/**
 * The files that cost more than they may. Budgets are for the machine of the committed costs; how much slower this one is
 * follows from the files that both have run: the median of their ratios.
 */
export function findExpensive(measured: readonly Cost[], committed: readonly Cost[]): readonly string[] {
  const factor = machineFactor(measured, committed)
  return measured
    .filter(({ file, ms }) => ms > budgetMs(file) * factor * TOLERANCE)
    .map(
      ({ file, ms }) =>
        `${file} used ${seconds(ms)} s of CPU; a file of its kind (${kindOf(file)}) may use ` +
        `${seconds(budgetMs(file))} s, here ${seconds(budgetMs(file) * factor * TOLERANCE)} s`,
    )
}

/** Exceptions for files that are gone or that need none any more. */
export function findNeedlessExceptions(files: ReadonlySet<string>): readonly string[] {
  return Object.keys(EXCEPTIONS).filter(
    (file) => !files.has(file) || (EXCEPTIONS[file]?.seconds ?? 0) <= BUDGETS[kindOf(file)],
  )
}

export function machineFactor(measured: readonly Cost[], committed: readonly Cost[]): number {
  const known = new Map(committed.map(({ file, ms }) => [file, ms]))
  const ratios = measured.flatMap(({ file, ms }) => {
    const before = known.get(file)
    return before === undefined ? [] : [ms / before]
  })
  if (ratios.length < LEAST_COMMON_FILES) return 1
  const sorted = ratios.toSorted((one, other) => one - other)
  return Math.max(1, sorted[Math.floor(sorted.length / 2)] ?? 1)
}

function seconds(ms: number): string {
  return (ms / 1000).toFixed(1)
}
