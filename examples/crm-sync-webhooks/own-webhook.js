import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { AccountClient, ServiceClient } from '@sealpost/sdk'
import { readSettings } from '../crm-sync-feed/service.js'

/** The webhook of this program: created at the first start, with its secret in a file. */
export class OwnWebhook {
  #account
  #serviceId
  #id

  constructor(account, serviceId, { id, secret }) {
    this.#account = account
    this.#serviceId = serviceId
    this.#id = id
    this.secret = secret
  }

  static async open(demo, file, url) {
    const settings = readSettings(demo)
    const { front_door: frontDoorUrl } = settings
    const account = new AccountClient({
      frontDoorUrl,
      clientId: settings.account_client_id,
      clientSecret: settings.account_client_secret,
    })
    const data = new ServiceClient({
      frontDoorUrl,
      clientId: settings.client_id,
      clientSecret: settings.client_secret,
    })
    const { service_id: serviceId } = await data.whoami()
    if (!existsSync(file)) {
      // Of a start that was killed before it had written the file.
      for await (const old of account.webhooks.list(serviceId)) {
        if (old.url === url) await account.webhooks.delete(serviceId, old.id)
      }
      const made = await account.webhooks.create(serviceId, { url })
      writeFileSync(file, JSON.stringify({ id: made.id, secret: made.hmac_secret_once }), { mode: 0o600 })
    }
    return new OwnWebhook(account, serviceId, JSON.parse(readFileSync(file, 'utf8')))
  }

  /** After a pause of this program: a probe now instead of within ten minutes, and then everything that was parked. */
  async catchUp() {
    const { health } = await this.#account.webhooks.read(this.#serviceId, this.#id)
    if (health.state === 'bad') await this.#account.webhooks.probe(this.#serviceId, this.#id)
  }
}
