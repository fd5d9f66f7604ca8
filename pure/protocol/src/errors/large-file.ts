import { type ApiError, refuse } from './api-error.ts'

/** `maxMb`: the limit of the field's files together, before sealing, in megabytes of 1,048,576 bytes. */
export function refuseLargeFile(maxMb: number): ApiError {
  return refuse('request.too_large', undefined, {
    sentence: `The files of this field have more than ${maxMb} MB together; send smaller ones`,
  })
}
