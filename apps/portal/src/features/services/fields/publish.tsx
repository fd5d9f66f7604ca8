import { Button, Buttons, pluralOf, TearOff, useLanguage } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../../words/index.ts'
import { Changes } from './changes.tsx'
import { type Difference, valuesLost } from './difference.ts'

/** What a publication changes, and what it deletes, before the act. */
export function Publish({
  difference,
  isBusy,
  onPublish,
  onDrop,
}: {
  readonly difference: Difference
  readonly isBusy: boolean
  readonly onPublish: () => Promise<void>
  readonly onDrop: () => void
}): ReactNode {
  const words = useWords().rows
  const { language } = useLanguage()
  const lost = valuesLost(difference)
  const act = lost === 0 ? words.publish : pluralOf(language)(lost, words.publishAndDelete)
  return (
    <TearOff
      title={words.before}
      act={
        <Buttons>
          <Button
            look={lost === 0 ? 'main' : 'danger'}
            busy={isBusy ? words.publishing : null}
            onClick={() => void onPublish()}
          >
            {act}
          </Button>
          <Button onClick={onDrop}>{words.drop}</Button>
        </Buttons>
      }
    >
      <Changes of={difference} label={words.before} />
      <p>{difference.added.length > 0 ? words.addedFollows : words.follows}</p>
    </TearOff>
  )
}
