import type { Person, Service, World } from '@sealpost/testkit'

type Variables = Readonly<Record<string, string>>

/** What programs and commands of a service read; its key is in `service.pem`. */
export function serviceVariables(world: World, { client, passphrase }: Service): Variables {
  const { clientId, clientSecret } = client
  return {
    FRONT_DOOR: world.frontDoor.url,
    CLIENT_ID: clientId,
    CLIENT_SECRET: clientSecret,
    PASSPHRASE: passphrase,
    SEALPOST_FRONT_DOOR: world.frontDoor.url,
    SEALPOST_CLIENT_ID: clientId,
    SEALPOST_CLIENT_SECRET: clientSecret,
    SEALPOST_KEY_FILE: 'service.pem',
    SEALPOST_PASSPHRASE: passphrase,
  }
}

/** What programs of a person read; the key is in `private.der`. */
export function personVariables({ token, apiUrl }: Person): Variables {
  return { TOKEN: token, API_URL: apiUrl, PRIVATE_KEY_FILE: 'private.der' }
}
