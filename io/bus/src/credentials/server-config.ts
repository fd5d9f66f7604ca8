import type { Party } from '../parties.ts'
import { type Permissions, permissionsOf } from './permissions.ts'

/** Public keys by party; during a rotation, a party has two. */
export type PublicKeys = ReadonlyMap<Party, readonly string[]>

/** Longer than any ask waits. */
const RESPONSE_EXPIRES = '2m'
/** For the handshake; the login has a second more. The 2 s of NATS are too short for a party on a busy machine. */
const TLS_SECONDS = 10

/**
 * The account of one region's NATS: a user for each key of each party. In an account, so that a server that is shared
 * with other programs keeps them apart. It has no secrets: a server stores public keys only.
 */
export function accountConfig(region: Party, keys: PublicKeys, extraUsers: readonly string[] = []): string {
  const parties = [...keys.keys()]
  const users = parties.flatMap((party) => {
    const permissions = permissionsOf(party, region, parties)
    return (keys.get(party) ?? []).map((key) => userConfig(party, key, permissions))
  })
  return [
    'accounts {',
    `  ${accountName(region)} {`,
    '    jetstream: enabled',
    '    users: [',
    ...users,
    ...extraUsers.map((key) => `      { nkey: ${key} }`),
    '    ]',
    '  }',
    '}',
    '',
  ].join('\n')
}

/** The certificate of one region's NATS. */
export function tlsConfig(certFile: string, keyFile: string): string {
  return [
    'tls {',
    `  cert_file: ${JSON.stringify(certFile)}`,
    `  key_file: ${JSON.stringify(keyFile)}`,
    `  timeout: ${TLS_SECONDS}`,
    '}',
    '',
  ].join('\n')
}

function accountName(region: Party): string {
  return `SEALPOST_${region.toUpperCase().replaceAll('-', '_')}`
}

function userConfig(party: Party, key: string, { publish, subscribe, mayRespond }: Permissions): string {
  return [
    `      # ${party}`,
    '      {',
    `        nkey: ${key}`,
    '        permissions: {',
    `          publish: { allow: ${list(publish)} }`,
    `          subscribe: { allow: ${list(subscribe)} }`,
    ...(mayRespond ? [`          allow_responses: { max: 1, expires: "${RESPONSE_EXPIRES}" }`] : []),
    '        }',
    '      }',
  ].join('\n')
}

function list(subjects: readonly string[]): string {
  return `[\n${subjects.map((subject) => `            ${JSON.stringify(subject)}`).join('\n')}\n          ]`
}
