import { Button, ButtonLink, Buttons, Choices, Form, TextField } from '@sealpost/ui'
import { type ReactNode, useState } from 'react'
import { href } from '../../../routes.ts'
import { useWords } from '../../../words/index.ts'
import { type About, audienceOf, problemsOf } from './about.ts'
import { Rite } from './rite.tsx'
import classes from './course.module.css'

interface AboutStepProps {
  readonly about: About
  readonly onAbout: (about: About) => void
  readonly onDone: () => void
}

const AUDIENCES = ['both', 'person', 'company'] as const

/** What the customers and the platform call it. Nothing is sent yet. */
export function AboutStep(props: AboutStepProps): ReactNode {
  const words = useWords().newService.about
  const follows = (
    <aside className={classes.aside}>
      <h2>{words.followsTitle}</h2>
      <p>{words.follows}</p>
    </aside>
  )
  return (
    <Rite title={words.title} lead={words.lead} aside={follows}>
      <AboutForm {...props} />
    </Rite>
  )
}

function AboutForm({ about, onAbout, onDone }: AboutStepProps): ReactNode {
  const words = useWords().newService.about
  const [isTried, setTried] = useState(false)
  const problems = problemsOf(words, about)
  const shown: typeof problems = isTried ? problems : {}
  return (
    <Form
      onSend={() => {
        setTried(true)
        if (Object.values(problems).every((problem) => problem === undefined)) onDone()
      }}
    >
      <TextField
        label={words.name}
        hint={words.nameHint}
        problem={shown.name}
        maxLength={120}
        value={about.name}
        onValue={(name) => onAbout({ ...about, name })}
      />
      <TextField
        label={words.shareCode}
        hint={words.shareCodeHint}
        problem={shown.shareCode}
        isOptional
        isMono
        maxLength={8}
        spellCheck={false}
        autoCapitalize="characters"
        value={about.shareCode}
        onValue={(shareCode) => onAbout({ ...about, shareCode: shareCode.toUpperCase() })}
      />
      <TextField
        label={words.adminEmail}
        hint={words.adminEmailHint}
        problem={shown.adminEmail}
        type="email"
        value={about.adminEmail}
        onValue={(adminEmail) => onAbout({ ...about, adminEmail })}
      />
      <Choices
        legend={words.audience}
        value={about.audience}
        onValue={(audience) => onAbout({ ...about, audience: audienceOf(audience) })}
        options={AUDIENCES.map((value) => ({ value, label: words.audiences[value] }))}
      />
      <Buttons>
        <Button type="submit" look="main">
          {words.next}
        </Button>
        <ButtonLink href={href('services')}>{words.leave}</ButtonLink>
      </Buttons>
    </Form>
  )
}
