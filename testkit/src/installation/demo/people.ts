import { join } from 'node:path'
import { type AccountKey, CustomerClient, isSealpostError } from '@sealpost/sdk'
import { filePins } from '@sealpost/sdk/file-store'
import { logIn, type UserLogin } from '@sealpost/sdk/login'
import { APP_ORIGIN } from '../../people/app-origin.ts'
import { type PeoplePlace, signUp, type UserType } from '../../people/people.ts'
import { mara } from '../../personas.ts'

/** A person of the demo, with the values that she keeps in her profile. */
export interface DemoPerson {
  readonly displayName: string
  readonly email: string
  readonly password: string
  readonly region: 'eu' | 'us'
  readonly firstName: string
  /** Null for one who shares what is mandatory only. */
  readonly home: Readonly<Record<string, string>> | null
}

export const demoPersons: readonly [DemoPerson, ...DemoPerson[]] = [
  {
    displayName: mara.displayName,
    email: mara.email,
    password: mara.login.password,
    region: 'us',
    firstName: 'Mara',
    home: { street: 'Elm Street', building_number: '12', city: 'Portland', state: 'OR', country: 'US' },
  },
  {
    displayName: 'Jonas Weber',
    email: 'jonas@persons.example',
    password: 'jonas-demo-password',
    region: 'eu',
    firstName: 'Jonas',
    home: { street: 'Gartenstraße', building_number: '3', city: 'Freiburg', postal_code: '79098', country: 'DE' },
  },
  {
    displayName: 'Amina Diallo',
    email: 'amina@persons.example',
    password: 'amina-demo-password',
    region: 'us',
    firstName: 'Amina',
    home: null,
  },
]

/** Logs in as a web app does. */
export function openLogin(
  place: PeoplePlace,
  userType: UserType,
  { email, password }: { readonly email: string; readonly password: string },
): Promise<UserLogin> {
  return logIn({ frontDoorUrl: place.frontDoor.url, appOrigin: APP_ORIGIN, userType, email, password })
}

/** The app of a person, who signs up at the first time. Her device remembers in the folder. */
export async function openPerson(place: PeoplePlace, person: DemoPerson, folder: string): Promise<CustomerClient> {
  const login = await openLogin(place, 'person', person).catch(async (error: unknown) => {
    if (!isSealpostError(error, 'session.invalid')) throw error
    await signUp(place, { userType: 'person', ...person })
    return openLogin(place, 'person', person)
  })
  const key = async (): Promise<AccountKey> => login.openKey((await client.readKeys()).encrypted_private_key)
  const pins = filePins(join(folder, `pins-of-${person.firstName.toLowerCase()}`))
  const client: CustomerClient = new CustomerClient({ accessToken: login.accessToken, pins, key })
  return client
}
