import type { Published } from '@sealpost/sdk/publish'

/** A command alone: it has no modules to import. */
export const cliPackage: Published = {
  folder: 'apps/cli',
  entries: { sealpost: 'main' },
  settings: [],
  commands: ['sealpost'],
  readme: 'build/README.md',
}
