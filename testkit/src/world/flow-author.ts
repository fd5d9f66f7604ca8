import type { Answer } from '../people/call.ts'
import { bodyOf } from '../people/call.ts'
import type { Calls } from '../people/client-calls.ts'
import { listOf } from '../sharing/members.ts'
import type { Service } from './service.ts'

/** A draft as its author sees it. */
export interface AuthoredFlow {
  readonly flowId: string
  readonly draftToken: string
}

/** An author of a service's flows in the portal. The methods fail on another answer than success. */
export interface FlowAuthor {
  /** `/api/portal/services/ID/flows`. */
  readonly path: string
  /** Any call below `path`, for answers that are no success. */
  call(method: Method, path: string, body?: unknown): Promise<Answer>
  create(definition?: object, name?: string): Promise<AuthoredFlow>
  save(flow: AuthoredFlow, definition: object): Promise<AuthoredFlow>
  publish(flow: AuthoredFlow): Promise<{ readonly version: number; readonly warnings: readonly Finding[] }>
  validate(flow: AuthoredFlow): Promise<readonly Finding[]>
  /** Makes a flow and publishes it. */
  published(definition: object, name?: string): Promise<AuthoredFlow>
}

type Method = Parameters<Calls>[0]

export interface Finding {
  readonly error_key: unknown
  readonly severity: unknown
  readonly path: unknown
}

export function flowAuthor({ portal, serviceId }: Pick<Service, 'serviceId'> & { readonly portal: Calls }): FlowAuthor {
  const path = `/api/portal/services/${serviceId}/flows`
  const call: FlowAuthor['call'] = (method, below, body) =>
    portal(method, `${path}${below}`, body === undefined ? {} : { body })
  const author: Omit<FlowAuthor, 'published'> = {
    path,
    call,
    create: async (definition, name = 'A flow') => flowOf(await bodyOf(call('POST', '', { name, definition }), 201)),
    save: async ({ flowId, draftToken }, definition) =>
      flowOf(await bodyOf(call('PUT', `/${flowId}`, { draft_token: draftToken, definition }))),
    async publish({ flowId, draftToken }) {
      const body = await bodyOf(call('POST', `/${flowId}/publish`, { draft_token: draftToken }))
      return { version: Number(body['version']), warnings: findingsOf(body['warnings']) }
    },
    validate: async ({ flowId }) => findingsOf((await bodyOf(call('POST', `/${flowId}/validate`)))['issues']),
  }
  return {
    ...author,
    async published(definition, name) {
      const flow = await author.create(definition, name)
      await author.publish(flow)
      return flow
    },
  }
}

/** The findings of an answer, without their sentences. */
export function findingsOf(list: unknown): readonly Finding[] {
  return listOf(list).map(({ error_key, severity, path }) => ({ error_key, severity, path }))
}

function flowOf(body: Answer['body']): AuthoredFlow {
  return { flowId: String(body['id']), draftToken: String(body['draft_token']) }
}
