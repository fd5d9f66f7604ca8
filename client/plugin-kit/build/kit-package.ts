import type { Published } from '@sealpost/sdk/publish'

export const kitPackage: Published = {
  folder: 'client/plugin-kit',
  entries: { index: 'index' },
  settings: ['tsconfig.build.json'],
}
