import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { isSealpostError, ServiceClient, ServiceKey } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'

/** The settings that `npm run dev` writes; in production these are secrets of your deployment. */
export function readSettings(demo) {
  return JSON.parse(readFileSync(join(demo, 'sealpost.json'), 'utf8'))
}

export class Service {
  #key

  constructor(client, key) {
    this.client = client
    this.#key = key
  }

  /** `pins` is the folder that remembers keys of senders. */
  static async open(demo, pins) {
    const settings = readSettings(demo)
    const client = new ServiceClient({
      frontDoorUrl: settings.front_door,
      clientId: settings.client_id,
      clientSecret: settings.client_secret,
      pins: filePins(pins),
    })
    const [pem, passphrase] = [settings.key_file, settings.passphrase_file].map((name) =>
      readFileSync(resolve(demo, name), 'utf8').trim(),
    )
    return new Service(client, await ServiceKey.fromPem(pem, passphrase))
  }

  /** Reads all customers into the CRM. Changes that happen meanwhile are in the feed. */
  async copyTo(crm) {
    for await (const connection of this.client.connections.list()) crm.copyCustomer(await this.#customerOf(connection))
    crm.completeCopy()
  }

  /** What an event changes in the CRM, as a function without waiting: it runs in a transaction. */
  async editOf(change) {
    const { connection_id: id, slug } = change
    switch (change.event) {
      case 'connection_created': {
        const customer = await this.#readCustomer(id)
        return (crm) => customer !== null && crm.putCustomer(customer)
      }
      case 'connection_deleted':
        return (crm) => crm.deleteCustomer(id)
      case 'field_deleted':
        return (crm) => crm.deleteField(id, slug)
      case 'field_updated':
      case 'consent_accepted': {
        // Null: withdrawn before the delivery. Absent: a file, which `client.files` reads.
        if (change.value === null) return (crm) => crm.deleteField(id, slug)
        if (change.value === undefined) return () => {}
        const { text } = await this.client.values.decryptValue(change, change.type, this.#key)
        return (crm) => crm.putField(id, slug, text)
      }
      default:
        return () => {}
    }
  }

  /** Null when the customer has left since. */
  async #readCustomer(id) {
    try {
      return await this.#customerOf(await this.client.connections.get(id))
    } catch (error) {
      if (isSealpostError(error, 'company_data.connection_not_found')) return null
      throw error
    }
  }

  /** Files, and values that the key cannot open or that the customer did not send, are left out. */
  async #customerOf(connection) {
    const values = Object.entries(await this.client.values.decrypt(connection, this.#key))
    const texts = values.filter(([, value]) => 'text' in value).map(([slug, { text }]) => [slug, text])
    return { id: connection.id, name: connection.display_name, fields: Object.fromEntries(texts) }
  }
}
