import { Quiet } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'

/** In groups, so that two people can compare it on the phone. */
export function Fingerprint({ of }: { readonly of: string }): ReactNode {
  const words = useWords().serviceKey
  return (
    <Quiet>
      {words.fingerprint} <code translate="no">{of.match(/.{1,4}/g)?.join(' ')}</code>
    </Quiet>
  )
}
