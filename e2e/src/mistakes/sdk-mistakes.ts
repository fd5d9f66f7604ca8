import { AccountClient, memoryPins, PublicKey, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { openReceiver } from '@sealpost/sdk/webhooks'
import type { Scene } from './calls.ts'

export interface SdkMistake {
  readonly mistake: string
  /** The class of the error. */
  readonly thrown: string
  readonly remedy: string
  readonly make: (scene: Scene) => Promise<unknown>
}

const clientOf = ({ world, service }: Scene, more: object = {}): ServiceClient =>
  new ServiceClient({ frontDoorUrl: world.frontDoor.url, ...service.client, pins: memoryPins(), ...more })

/** Each throws; the message says what happened. */
export const sdkMistakes: readonly SdkMistake[] = [
  {
    mistake: 'an address without its scheme',
    thrown: 'TypeError',
    remedy: 'Give the address of the front door with `https://`.',
    make: (scene) => clientOf(scene, { frontDoorUrl: 'api.example.com' }).whoami(),
  },
  {
    mistake: 'a setting that is empty, because the environment lacks it',
    thrown: 'TypeError',
    remedy: 'Set the variable that the setting comes from.',
    make: (scene) => clientOf(scene, { clientSecret: '' }).whoami(),
  },
  {
    mistake: 'the secret of another client',
    thrown: 'SealpostError',
    remedy: 'Check the client id and its secret, or create a new secret.',
    make: (scene) => clientOf(scene, { clientSecret: 'x'.repeat(43) }).whoami(),
  },
  {
    mistake: 'a server that is not there',
    thrown: 'NetworkError',
    remedy: 'Check address, network and proxy; `cause` is the error of `fetch`.',
    make: (scene) => clientOf(scene, { frontDoorUrl: 'http://127.0.0.1:1', maxWaitSeconds: 0 }).whoami(),
  },
  {
    mistake: 'a data client in an `AccountClient`',
    thrown: 'SealpostError',
    remedy: 'Use a `ServiceClient` with `svc_…`, an `AccountClient` with `acct_…`.',
    make: ({ world, service }) => new AccountClient({ frontDoorUrl: world.frontDoor.url, ...service.client }).read(),
  },
  {
    mistake: 'an id that is empty',
    thrown: 'TypeError',
    remedy: 'Pass the id; an empty one is usually a member that was not read.',
    make: (scene) => clientOf(scene).connections.get(''),
  },
  {
    mistake: 'a misspelled member in a body',
    thrown: 'TypeError',
    remedy: 'Use the name that the message suggests; nothing was sent.',
    make: ({ world, automation: { clientId, clientSecret }, service }) => {
      const account = new AccountClient({ frontDoorUrl: world.frontDoor.url, clientId, clientSecret })
      const settings = { url: 'https://hooks.example/', evnts: [] }
      return account.webhooks.create(service.serviceId, settings)
    },
  },
  {
    mistake: 'a passphrase that belongs to another key file',
    thrown: 'SealingError',
    remedy: 'Use the passphrase of this service, or recover it in the portal.',
    make: ({ service, foreign }) => ServiceKey.fromWrap(service.encryptedPrivateKey, foreign.passphrase),
  },
  {
    mistake: 'a value that is sealed to another service',
    thrown: 'SealingError',
    remedy: 'Open it with the key of the service that it was shared with.',
    make: async ({ service, foreign }) => {
      const key = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase)
      return key.open(await (await PublicKey.import(foreign.publicKey)).seal('a value'))
    },
  },
  {
    mistake: 'a plain text where a sealed value is expected',
    thrown: 'SealingError',
    remedy: 'Pass the wrapper as it was received, without parsing or shortening it.',
    make: async ({ service }) => {
      const key = await ServiceKey.fromWrap(service.encryptedPrivateKey, service.passphrase)
      return key.open('DE89 3704')
    },
  },
  {
    mistake: 'a receiver without a secret',
    thrown: 'TypeError',
    remedy: 'Give the secret that was shown when the webhook was created.',
    make: async () => openReceiver({ secrets: [''], handle() {} }),
  },
]
