import { randomBytes } from 'node:crypto'
import { createSigningKeys, forwarderEnvironment, installationEnvironment } from '@sealpost/testkit'
import type { Engines, SiteEngines } from '@sealpost/testkit/engines'
import { addressesAt } from '../dev/addresses.ts'

/** The services of `compose.yaml` that run an app of ours. */
export const COMPOSE_APPS = ['front-door', 'eu', 'us', 'forwarder', 'web'] as const
export type ComposeApp = (typeof COMPOSE_APPS)[number]

/** Compose publishes the ports that `npm run dev` takes first. */
const ADDRESSES = addressesAt(0)
/** Where `compose.yaml` mounts the files that settings name. */
const MOUNTED = '/etc/sealpost'
/** The mail server of `compose.yaml`: it keeps what it gets and shows it at port 8025. */
const SMTP_URL = 'smtp://127.0.0.1:1025'

/** The settings of each app, with secrets of its own installation. */
export async function composeSettings(
  engines: Engines,
  forwarderLogin: Pick<SiteEngines, 'natsKeys' | 'natsCaFile'>,
): Promise<Readonly<Record<ComposeApp, Readonly<Record<string, string>>>>> {
  // By name, because passkeys and cookies are for a name.
  const [personUrl, frontDoorUrl] = [
    `http://localhost:${ADDRESSES.person}`,
    `http://localhost:${ADDRESSES.frontDoor.port}`,
  ]
  const extra = {
    APP_ORIGINS: [personUrl, frontDoorUrl].join(','),
    AUTH_WEB_URL: `${personUrl}/consent`,
    WEBAUTHN_RP_ID: 'localhost',
    KDF_MEMORY_KIB: '65536',
    KDF_PASSES: '3',
    SEAL_CERT: `${MOUNTED}/seal/seal.pem`,
    SEAL_KEY: `${MOUNTED}/seal/seal.key`,
  }
  const written = installationEnvironment(engines, ADDRESSES, await createSigningKeys('compose'), SMTP_URL, extra)
  const forwarder = forwarderEnvironment(written, ADDRESSES.forwarder, forwarderLogin)
  const [pepper, dataKey, directoryKey] = [newKey('pepper'), newKey('data'), randomBytes(32).toString('base64url')]
  const region = { SECRET_PEPPER: pepper, DATA_KEY: dataKey, ...mounted }
  return {
    'front-door': { ...written.frontDoor, SECRET_PEPPER: pepper, DIRECTORY_KEY: directoryKey, ...mounted },
    eu: { ...written.eu, ...region },
    us: { ...written.us, ...region },
    forwarder: { ...forwarder, ...mounted },
    web: {
      WEB_ROOT: 'person',
      FRONT_DOOR_URL: frontDoorUrl,
      API_ORIGINS: [ADDRESSES.eu, ADDRESSES.us, ADDRESSES.forwarder]
        .map(({ port }) => `http://127.0.0.1:${port}`)
        .join(','),
      LISTEN_PORT: String(ADDRESSES.person),
      INTERNAL_PORT: String(ADDRESSES.person + 1),
    },
  }
}

const mounted = { NATS_CA_FILE: `${MOUNTED}/ca.crt` }

function newKey(id: string): string {
  return `${id}1:${randomBytes(32).toString('base64url')}`
}

/** The form of an `env_file`: one line for each setting. */
export function envFileOf(settings: Readonly<Record<string, string>>): string {
  return Object.entries(settings)
    .map(([name, value]) => {
      if (value.includes('\n')) throw new Error(`${name} has several lines`)
      return `${name}=${value}\n`
    })
    .join('')
}
