import { randomBytes } from 'node:crypto'
import { createSigningKeys, forwarderEnvironment, installationEnvironment } from '@sealpost/testkit'
import type { Engines, SiteEngines } from '@sealpost/testkit/engines'
import { addressesAt } from '../dev/addresses.ts'

/** The services of `compose.yaml` that run an app of ours. */
export const COMPOSE_APPS = ['front-door', 'eu', 'us', 'forwarder', 'web', 'portal'] as const
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
  const [personUrl, portalUrl] = [urlOf(ADDRESSES.person), urlOf(ADDRESSES.portal)]
  const frontDoorUrl = urlOf(ADDRESSES.frontDoor.port)
  const extra = {
    APP_ORIGINS: [personUrl, portalUrl, frontDoorUrl].join(','),
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
    web: webApp('person', ADDRESSES.person, frontDoorUrl),
    portal: { ...webApp('portal', ADDRESSES.portal, frontDoorUrl), PERSON_APP_URL: personUrl },
  }
}

function urlOf(port: number): string {
  return `http://localhost:${port}`
}

/** The folder of the build is the one in the image. */
function webApp(folder: string, port: number, frontDoorUrl: string): Readonly<Record<string, string>> {
  return {
    WEB_ROOT: folder,
    FRONT_DOOR_URL: frontDoorUrl,
    API_ORIGINS: [ADDRESSES.eu, ADDRESSES.us, ADDRESSES.forwarder]
      .map((app) => `http://127.0.0.1:${app.port}`)
      .join(','),
    LISTEN_PORT: String(port),
    INTERNAL_PORT: String(port + 1),
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
