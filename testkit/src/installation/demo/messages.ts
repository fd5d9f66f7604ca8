import type { ServiceClient, ServiceKey } from '@sealpost/sdk'

const WELCOME = 'Welcome to Northwind. Write to us here whenever you have a question.'

/** A message of the service, unless it has written before. */
export async function seedMessages(client: ServiceClient, connectionId: string, key: ServiceKey): Promise<void> {
  for await (const _message of client.messages.list(connectionId)) return
  await client.messages.send(connectionId, WELCOME, key)
}
