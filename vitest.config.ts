import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { COMPILE_CACHE } from '@sealpost/testkit/compile-cache'
import { scaled } from '@sealpost/testkit/slowness'
import { CostSequencer } from '@sealpost/tools/sequencer'
import { NOT_TESTS, TEST_FOLDERS } from '@sealpost/tools/test-files'
import { defineConfig } from 'vitest/config'

// oxlint-disable-next-line node/no-process-env -- workers, and what they start, inherit it
process.env['NODE_COMPILE_CACHE'] ??= COMPILE_CACHE

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

/**
 * `*.test.ts` needs nothing but Node; `*.test.tsx` draws parts and pages in a document without a browser; `*.live.test.ts` speaks to the engines that `npm run infra` starts.
 * The results are kept in `.vitest/`, where `npm run conformance -- --results` can read them.
 */
export default defineConfig({
  test: {
    // One more than can run: a live test waits for engines and time-outs as long as it works. Their server takes so many.
    maxWorkers: Math.min(availableParallelism() + 1, 8),
    sequence: { sequencer: CostSequencer },
    // A worker closes the installation that its files have shared.
    teardownTimeout: scaled(60_000),
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
    projects: [
      {
        test: {
          name: 'unit',
          ...native('bundled-children/register.ts'),
          include: TEST_FOLDERS.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/*.live.test.ts', ...NOT_TESTS],
          setupFiles: ['./tools/src/test-costs/record.ts'],
          isolate: false,
          expect: asserting,
          testTimeout: scaled(20_000),
          hookTimeout: scaled(20_000),
        },
      },
      {
        test: {
          name: 'components',
          ...native('component-tests/register.ts'),
          include: ['client/*/src/**/*.test.tsx', 'apps/*/src/**/*.test.tsx'],
          setupFiles: ['./tools/src/test-costs/record.ts'],
          environment: 'happy-dom',
          // The document is the same for all files of a worker; each test leaves it empty.
          isolate: false,
          expect: asserting,
          testTimeout: scaled(20_000),
        },
      },
      {
        test: {
          name: 'live',
          ...native('bundled-children/register.ts', 'live-tests/remember-hashes.ts'),
          include: TEST_FOLDERS.map((folder) => `${folder}/**/*.live.test.ts`),
          exclude: [...NOT_TESTS],
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
