import type { ErrorKey } from '@sealpost/protocol'
import type { AccountClient, Person, Service, World } from '@sealpost/testkit'

/** The installation in which the mistakes are made. */
export interface Scene {
  readonly world: World
  readonly service: Service
  readonly foreign: Service
  readonly automation: AccountClient
  /** Of an account client without capabilities. */
  readonly bare: AccountClient
  readonly person: Person
  readonly connectionId: string
  /** A token of the data client. */
  readonly token: string
}

export interface HttpMistake {
  readonly mistake: string
  readonly key: ErrorKey
  readonly make: (scene: Scene) => Promise<Answered>
}

/** What a caller sees; `Response` of `fetch` and the answers of the testkit both have it. */
export interface Answered {
  readonly status: number
  readonly headers: Headers
  text: string | (() => Promise<string>)
}

export const NOWHERE = '0196a8c4-5e6f-7a10-8b2c-3d4e5f607182'
type Method = 'DELETE' | 'GET' | 'POST' | 'PUT'

const FORM = 'application/x-www-form-urlencoded'

export const data =
  (method: Method, path: string, body?: unknown) =>
  ({ service }: Scene): Promise<Answered> =>
    service.data(method, `/api/company-data${path}`, body === undefined ? {} : { body })

export const portal =
  (method: Method, path: string, body?: unknown) =>
  ({ service }: Scene): Promise<Answered> =>
    service.portal(method, `${service.path}${path}`, body === undefined ? {} : { body })

export const raw =
  (method: string, path: string, headers: Record<string, string>, body?: string) =>
  ({ world, token }: Scene): Promise<Answered> =>
    fetch(`${world.eu.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, ...headers },
      ...(body === undefined ? {} : { body }),
    })

export const tokenRequest =
  (form: (scene: Scene) => Record<string, string>, headers: (scene: Scene) => Record<string, string> = () => ({})) =>
  (scene: Scene): Promise<Answered> =>
    fetch(`${scene.world.frontDoor.url}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams(form(scene)).toString(),
      headers: { 'content-type': FORM, ...headers(scene) },
    })

export const credentials = ({ service }: Scene) => ({
  client_id: service.client.clientId,
  client_secret: service.client.clientSecret,
})

export const withFields =
  (...rows: readonly object[]) =>
  async (scene: Scene): Promise<Answered> => {
    const read = await scene.service.portal('GET', `${scene.service.path}/request-fields`)
    const { request_fields: present, config_token } = read.body
    const kept: readonly unknown[] = Array.isArray(present) ? present : []
    return portal('PUT', '/request-fields', { config_token, request_fields: [...kept, ...rows] })(scene)
  }

export const challenge =
  (body: object) =>
  ({ service }: Scene) =>
    service.data('POST', '/api/service-2fa/challenges', { body })

/** An answer to HEAD has no body; the same call by GET with the prefetch header is refused alike. */
export async function withText(answer: Answered, scene: Scene): Promise<Answered> {
  const same = await raw('GET', '/api/company-data/changes', { 'sec-purpose': 'prefetch' })(scene)
  return answer.status === same.status ? same : answer
}
