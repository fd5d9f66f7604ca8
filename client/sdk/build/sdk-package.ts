import type { Published } from './published.ts'

export const sdkPackage: Published = {
  folder: 'client/sdk',
  entries: {
    index: 'index',
    crypto: 'keys/index',
    'file-store': 'file-store/index',
    flows: 'flows/index',
    forwarder: 'forwarder/index',
    login: 'login/index',
    types: 'types',
    webhooks: 'webhooks/index',
  },
  settings: ['tsconfig.build.json', 'tsconfig.build-node.json'],
}
