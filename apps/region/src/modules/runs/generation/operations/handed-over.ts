import { Secret } from '@sealpost/kernel'
import { refuse } from '@sealpost/protocol'
import { fetchOffered } from '../../../../platform/fetch-offered.ts'
import type { ServiceSideContext } from '../../service-side/context.ts'
import type { HandedOver, SealedText } from '../model.ts'

type Reaching = Pick<ServiceSideContext, 'egress' | 'log'>

interface Offered {
  readonly url: string
  readonly sha256: string
  readonly bytes: number
}

export interface GenerateMessage {
  readonly otk: string
  readonly values: Offered | null
  readonly inputs: readonly { readonly source_key: string; readonly file: Offered }[] | null
  readonly file_slugs: readonly string[]
}

/** What a customer hands over: the sealed texts rest in the region of the customer. */
export function handedOver(context: Reaching, { otk, values, inputs, file_slugs }: GenerateMessage): HandedOver {
  return {
    otk: new Secret(otk),
    values: values === null ? null : textAt(context, values),
    inputs: inputs === null ? null : new Map(inputs.map((one) => [one.source_key, textAt(context, one.file)])),
    fileSlugs: new Set(file_slugs),
  }
}

function textAt(context: Reaching, { url, sha256, bytes }: Offered): SealedText {
  return async () => {
    const fetched = await fetchOffered(context, { url: new Secret(url), sha256, bytes }, 'a hand-over of a run')
    // Nothing is known about the text: the same call may succeed later.
    if (fetched === null) throw refuse('region.unreachable')
    return Buffer.from(fetched).toString('latin1')
  }
}
