import type { UserId } from '@sealpost/kernel'
import { systemIds } from '@sealpost/process'
import type { Calls } from '@sealpost/testkit'
import { createAccount, loginCalls, openOperations, sealToSelf } from '../accounts.ts'
import { requireOk } from '../calls.ts'
import type { Field } from '../request-row.ts'
import { sealTo } from '../sealing.ts'
import type { ReceivingService } from './services.ts'
import type { Region, Site } from './site.ts'

/** A person who shares a field with one or two services in the other region. */
export interface Person {
  readonly number: number
  readonly region: Region
  readonly call: Calls
  readonly connections: readonly { readonly id: string; readonly service: ReceivingService }[]
  /** The last edit that was answered 200: at the end every service must have it. */
  accepted: number
}

/** The value of an edit. */
export function textOf(number: number, edit: number): string {
  return `person ${number}, edit ${edit}`
}

export function readText(text: string): { readonly number: number; readonly edit: number } {
  const [, number, edit] = /^person (\d+), edit (\d+)$/.exec(text) ?? []
  if (number === undefined || edit === undefined) throw new Error(`not the value of an edit: ${JSON.stringify(text)}`)
  return { number: Number(number), edit: Number(edit) }
}

export interface PersonPlan {
  readonly region: Region
  readonly count: number
  /** The services that the person with this index connects to. */
  readonly servicesOf: (index: number) => readonly ReceivingService[]
}

/** Creates accounts without the registration, which is not under test; everything else is done over HTTP. */
export async function createPeople(
  site: Site,
  field: Field,
  first: number,
  { region, count, servicesOf }: PersonPlan,
): Promise<readonly Person[]> {
  const operations = await openOperations(site.installation, region)
  const people: Person[] = []
  try {
    for (let index = 0; index < count; index += 1) {
      const number = first + index
      const id = systemIds().uuid<UserId>()
      await createAccount(operations, { id, userType: 'person', name: `person-${number}` })
      const user = { userId: id, userType: 'person', region } as const
      const call = await loginCalls(site.installation, site.installation[region].url, user)
      people.push(await connectPerson(call, field, { number, region }, servicesOf(index)))
    }
  } finally {
    await operations.close()
  }
  return people
}

async function connectPerson(
  call: Calls,
  field: Field,
  { number, region }: Pick<Person, 'number' | 'region'>,
  services: readonly ReceivingService[],
): Promise<Person> {
  const text = textOf(number, 0)
  await requireOk(
    call('PUT', `/api/contact-data/${field.id}`, { body: { value: await sealToSelf(text), is_private: true } }),
  )
  const connections: { id: string; service: ReceivingService }[] = []
  for (const service of services) {
    const value = await sealTo(service.sealing, text)
    const decision = { request_field_id: service.rowId, kind: 'linked', source_field_id: field.id, value }
    const made = await requireOk(
      call('POST', '/api/company-connections', { body: { code: service.code, decisions: [decision] } }),
    )
    connections.push({ id: String(made['id']), service })
  }
  return { number, region, call, connections, accepted: 0 }
}
