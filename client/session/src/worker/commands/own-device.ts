import type { SessionContext } from '../context.ts'

/** This device among the trusted ones, where it is set up for this address. Sessions that name it end with it. */
export async function ownDeviceId({ store }: SessionContext, email: string): Promise<string | undefined> {
  const record = await store.read()
  return record?.email.toLowerCase() === email.toLowerCase() ? record.unlock?.deviceId : undefined
}
