import type { Person, Service, World } from '@sealpost/testkit'
import { bodyOf } from '@sealpost/testkit'
import { clientOf } from './client-of.ts'
import { type DemoPapers, sendPapers } from './demo-papers.ts'
import { officeOf } from './office.ts'

/** A person in `us` with data, and companies in `eu` that she shares some of it with. */
export interface Demo {
  readonly person: Person
  readonly clinic: Service
  readonly bank: Service
  /** Not connected yet. */
  readonly gym: Service
  readonly clinicConnection: string
  readonly papers: DemoPapers
}

const HOME = { street: 'Storgatan', building_number: '14', postal_code: '411 38', city: 'Göteborg', country: 'SE' }
const BANK = { swift: 'SWEDSESS', account_number: 'SE45 5000 0000 0583 9825 7466', account_holder: 'Mara Lind' }

export async function makeDemo(world: World): Promise<Demo> {
  const person = await world.person({ displayName: 'Mara Lind', email: 'mara.lind@persons.example' })
  const [clinic, bank, gym] = await Promise.all([
    serviceOf(world, 'Northwind Clinic', 'Patient intake', [
      { slug: 'name', label: 'First name', mandatory_provide: true },
      { slug: 'home', label: 'Where you live', type: 'address' },
      { slug: 'phone', label: 'Mobile number', type: 'phone' },
    ]),
    serviceOf(world, 'Harborline Bank', 'Account opening', [
      { slug: 'account', label: 'Present account', type: 'bank' },
      { slug: 'home', label: 'Address', type: 'address', one_time: true },
    ]),
    serviceOf(world, 'Vasa Fitness', 'Membership', [
      { slug: 'first', label: 'First name', mandatory_provide: true },
      { slug: 'born', label: 'Date of birth', type: 'date_of_birth', one_time: true },
      { slug: 'mail', label: 'E-mail for your card', type: 'email' },
    ]),
  ])
  const client = clientOf(person)
  const put = (slug: string, value: string | Readonly<Record<string, string>>) =>
    client.contactData.put(person.field(slug), value)
  await put('first_name', 'Mara')
  await put('address', HOME)
  await put('phone', '+46 70 555 01 42')
  await put('bank', BANK)
  await put('date_of_birth', '1987-03-09')
  const made = await client.connect(clinic.code, {
    name: { from: person.field('first_name') },
    home: { from: person.field('address') },
    phone: { from: person.field('phone') },
  })
  await client.connect(bank.code, {
    account: { from: person.field('bank') },
    home: { from: person.field('address') },
  })
  await clinic.publish([
    { slug: 'name', label: 'First name', mandatory_provide: true },
    { slug: 'home', label: 'Where you live', type: 'address' },
    { slug: 'phone', label: 'Mobile number', type: 'phone' },
    { slug: 'born', label: 'Date of birth', type: 'date_of_birth' },
  ])
  await bodyOf(
    gym.data('POST', '/api/company-data/connect-requests', {
      body: { share_code: person.shareCode, message: 'Your trial week is ready.' },
    }),
    201,
  )
  const papers = await sendPapers(world, client, await officeOf(world, clinic, made.id))
  return { person, clinic, bank, gym, clinicConnection: made.id, papers }
}

async function serviceOf(
  world: World,
  displayName: string,
  name: string,
  fields: Parameters<World['service']>[0],
): Promise<Service> {
  const company = await world.company({ region: 'eu', level: 'pro', displayName })
  return world.service(fields, { company, name })
}
