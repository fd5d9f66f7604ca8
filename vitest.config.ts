import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { scaled } from '@sealpost/testkit/slowness'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const everywhere = ['pure', 'io', 'client', 'apps', 'testkit', 'tools', 'e2e', 'bench', 'chaos']
const never = ['**/node_modules/**', '**/fixtures/**', '**/dist/**']

/** A test without an assertion fails; `waitUntil` alone is none. Most polls are calls, whose CPU time other files need. */
const asserting = { requireAssertions: true, poll: { timeout: scaled(5_000), interval: 50 } }

/**
 * Node runs our TypeScript as it is; Vite would transform 3,000 modules, and its imports cost at each use. No test needs
 * what only Vite has: `vi.mock`, and imports of what is no module.
 */
const native = (...preloaded: readonly string[]) => ({
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: preloaded.flatMap((file) => ['--import', join(import.meta.dirname, 'tools/src', file)]),
})

/** A run is as long as its last file: these take half a minute or more, and one that starts last keeps one worker busy. */
const slow = [
  'e2e/src/matrix/matrix.live.test.ts',
  'tools/src/new/new.live.test.ts',
  'e2e/src/delivery/pump-crashes.live.test.ts',
  'io/bus/src/bus.live.test.ts',
  'io/postgres/src/database.live.test.ts',
  'apps/region/src/modules/webhooks/delivery/health.live.test.ts',
  'e2e/src/hostile-uploads.live.test.ts',
  'apps/region/src/modules/feed/faults.live.test.ts',
  'apps/region/src/modules/clients/pending-changes/crashes.live.test.ts',
  'e2e/src/oauth/outages.live.test.ts',
].map((file) => join(import.meta.dirname, file))

/** The slow ones first, in this order; then as Vitest has it. */
class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const lost = slow.filter((file) => !existsSync(file))
    if (lost.length > 0) throw new Error(`vitest.config.ts names slow tests that do not exist: ${lost.join(', ')}`)
    // oxlint-disable-next-line unicorn/no-array-sort -- of Vitest, not of an array
    const usual = await super.sort(files)
    const first = slow.flatMap((file) => usual.filter(({ moduleId }) => moduleId === file))
    return [...first, ...usual.filter(({ moduleId }) => !slow.includes(moduleId))]
  }
}

/**
 * `*.test.ts` needs nothing but Node; `*.live.test.ts` speaks to the engines that `npm run infra` starts.
 * The results are kept in `.vitest/`, where `npm run conformance -- --results` can read them.
 */
export default defineConfig({
  test: {
    // One more than can run: a live test waits for engines and time-outs as long as it works. Their server takes so many.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: SlowFirst },
    // A worker closes the installation that its files have shared.
    teardownTimeout: scaled(60_000),
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
    projects: [
      {
        test: {
          name: 'unit',
          ...native('bundled-children/register.ts'),
          include: everywhere.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/*.live.test.ts', ...never],
          setupFiles: ['./tools/src/test-costs/record.ts'],
          isolate: false,
          expect: asserting,
          testTimeout: scaled(20_000),
          hookTimeout: scaled(20_000),
        },
      },
      {
        test: {
          name: 'live',
          ...native('bundled-children/register.ts', 'live-tests/remember-hashes.ts'),
          include: everywhere.map((folder) => `${folder}/**/*.live.test.ts`),
          exclude: never,
          globalSetup: ['./tools/src/live-tests/engines-answer.ts', './tools/src/live-tests/databases-server.ts'],
          setupFiles: ['./tools/src/live-tests/check-rows.ts', './tools/src/test-costs/record.ts'],
          environment: './testkit/src/world/worker-environment.ts',
          // Files of one worker share what they import, as the unit tests do: starting over costs a third of the run.
          isolate: false,
          expect: asserting,
          testTimeout: scaled(30_000),
          hookTimeout: scaled(60_000),
        },
      },
    ],
  },
})
