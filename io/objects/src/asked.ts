import { announceSlowCall } from '@sealpost/kernel'
import { type Bucket, deadline } from './s3-client.ts'
import type { Line } from './sockets.ts'
import { ObjectStorageError } from './storage-error.ts'

export function limitsOfCall(bucket: Bucket): { readonly abortSignal: AbortSignal } {
  return { abortSignal: deadline(bucket) }
}

/** Runs a call in its line for sockets; what the server fails on becomes an `ObjectStorageError`. */
export async function asked<T>(operation: string, line: Line, call: () => Promise<T>): Promise<T> {
  announceSlowCall('object storage')
  const free = await line.take(operation)
  try {
    return await call()
  } catch (error) {
    throw new ObjectStorageError(operation, error)
  } finally {
    free()
  }
}
