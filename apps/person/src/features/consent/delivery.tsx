import { Notice, Quiet, Tick } from '@sealpost/ui'
import type { ReactNode } from 'react'
import { useWords } from '../../words/index.ts'
import type { ConsentView } from '../../worker/commands/consent.ts'

/** What the server says about an app must not open a value: the person agrees to text in a step of its own. */
export function asksForText({ delivery }: ConsentView): boolean {
  return delivery === 'text' || delivery === 'was_sealed'
}

/** Who can read what is given, and the agreement that text needs. */
export function Delivery({
  consent,
  isTried,
  allowsText,
  onAllowText,
}: {
  readonly consent: ConsentView
  readonly isTried: boolean
  readonly allowsText: boolean
  readonly onAllowText: (isOn: boolean) => void
}): ReactNode {
  const { after, text } = useWords().consent
  const { companyName, delivery, mode } = consent
  if (delivery === 'sealed') return <Quiet>{after[mode](companyName)}</Quiet>
  if (delivery === 'agreed_text') return <Quiet>{text.readOnTheWay(companyName)}</Quiet>
  return (
    <>
      {delivery === 'was_sealed' ? (
        <Notice kind="bad" what={text.wasSealed(companyName)} next={text.wasSealedNext} />
      ) : null}
      <Tick label={text.agree} about={text.readOnTheWay(companyName)} isOn={allowsText} onChange={onAllowText} />
      {isTried && !allowsText ? <Notice kind="wait" what={text.notAgreed} /> : null}
    </>
  )
}
