import { defineConfig } from 'vitest/config'

const everywhere = ['pure', 'io', 'client', 'apps', 'testkit', 'tools', 'e2e', 'bench', 'chaos']

/** `*.test.ts` needs nothing but Node; `*.live.test.ts` speaks to the engines that `npm run infra` starts. */
export default defineConfig({
  test: {
    reporters: ['default', ['json', { outputFile: '.vitest/results.json' }]],
    projects: [
      {
        test: {
          name: 'unit',
          include: everywhere.map((folder) => `${folder}/**/*.test.ts`),
          exclude: ['**/*.live.test.ts', '**/node_modules/**', '**/fixtures/**'],
        },
      },
      {
        test: {
          name: 'live',
          include: everywhere.map((folder) => `${folder}/**/*.live.test.ts`),
          exclude: ['**/node_modules/**'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
})
