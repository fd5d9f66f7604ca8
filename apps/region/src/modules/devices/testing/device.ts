import { addDevice, DEVICES, type Person } from '@sealpost/testkit'

/** A trusted device of a person; answers the path of its subscriptions. */
export async function addPushDevice(person: Person): Promise<{ readonly id: string; readonly path: string }> {
  const { id } = await addDevice(person)
  return { id, path: `${DEVICES}/${id}/push` }
}
