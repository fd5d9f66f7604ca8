import { Pending } from '@sealpost/ui'
import type { ReactNode } from 'react'
import type { Read } from '../reads/reads.ts'
import { useWebAppWords } from '../words/index.ts'
import { Problem } from './problem.tsx'

/** What was read, or how it stands. */
export function Shown<T>({ of, children }: { readonly of: Read<T>; readonly children: (value: T) => ReactNode }) {
  const words = useWebAppWords()
  if (of.state === 'pending') return <Pending>{words.shell.opening}</Pending>
  if (of.state === 'failed') return <Problem failure={of.failure} onAgain={of.again} />
  return children(of.value)
}
