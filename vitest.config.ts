import { defineConfig } from 'vitest/config'

const everywhere = ['pure', 'io', 'client', 'apps', 'testkit', 'tools', 'e2e', 'bench', 'chaos']
const never = ['**/node_modules/**', '**/fixtures/**', '**/dist/**']

/**
 * `*.test.ts` needs nothing but Node; `*.live.test.ts` speaks to the engines that `npm run infra` starts.
 * The results are kept in `.vitest/`, where `npm run conformance -- --results` can read them.
 */
export default defineConfig({
  test: {
    maxWorkers: 2,
    reporters: ['default', 'json'],
    outputFile: { json: '.vitest/results.json' },
    projects: [
      {
        test: {
          name: 'unit',
          include: everywhere.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/*.live.test.ts', ...never],
          isolate: false,
          // A machine that runs everything at once is slow, and slow is not wrong.
          testTimeout: 20_000,
        },
      },
      {
        test: {
          name: 'live',
          include: everywhere.map((folder) => `${folder}/**/*.live.test.ts`),
          exclude: never,
          globalSetup: './tools/src/live-tests/engines-answer.ts',
          // Files of one worker share what they import, as the unit tests do: starting over costs a third of the run.
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
