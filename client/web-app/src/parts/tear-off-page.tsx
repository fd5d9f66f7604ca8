import { Bullets, Button, ButtonLink, Buttons, Form, Page, TearOff, TextArea } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { useAct } from '../reads/use-act.ts'
import { Problem } from './problem.tsx'

export interface TearOffPageProps {
  readonly title: string
  /** The page that the act is about; also the way out. */
  readonly back: { readonly href: string; readonly label: string }
  readonly whatFollows: string
  readonly follows: readonly string[]
  /** Something that the person may add in own words. */
  readonly note?: { readonly label: string; readonly hint: string }
  readonly words: { readonly act: string; readonly busy: string; readonly keep: string }
  /** With the note, which may be empty; afterwards it leads somewhere else. */
  readonly onAct: (note: string) => Promise<void>
}

/** For an act that cannot be taken back: what follows stands first, the act is torn off. */
export function TearOffPage({ title, back, whatFollows, follows, note, words, onAct }: TearOffPageProps): ReactNode {
  const [text, setText] = useState('')
  const act = useAct()
  return (
    <Page title={title} back={back}>
      <Form onSend={async () => void (await act.run(() => onAct(text.trim())))}>
        <TearOff
          title={whatFollows}
          act={
            <>
              {note === undefined ? null : <TextArea {...note} isOptional rows={3} value={text} onValue={setText} />}
              <Problem failure={act.failure} />
              <Buttons isStacked>
                <Button type="submit" look="danger" busy={act.isBusy ? words.busy : null}>
                  {words.act}
                </Button>
                <ButtonLink href={back.href}>{words.keep}</ButtonLink>
              </Buttons>
            </>
          }
        >
          <Bullets items={follows} />
        </TearOff>
      </Form>
    </Page>
  )
}
