/** A section of an outline: a heading, and what belongs under it. */
export interface OutlineSection {
  readonly heading: string;
  readonly points: readonly string[];
}

/** A topic is only told by its form: headings that held it would have to bend it. */
interface Shape {
  readonly fits: RegExp;
  readonly sections: readonly OutlineSection[];
}

const SHAPES: readonly Shape[] = [
  {
    fits: /^how to\b|^(?:a |the )?(?:beginner’?'?s |step-by-step |complete )?(?:guide|recipe|tutorial)\b/iu,
    sections: [
      { heading: 'What you need', points: ['Tools and materials', 'Time'] },
      { heading: 'Step by step', points: ['Preparation', 'The steps in order', 'How to tell that it worked'] },
      { heading: 'Common mistakes', points: ['What goes wrong', 'How to fix it'] },
    ],
  },
  {
    fits: /\bvs\.?\s|\bversus\b|\bcompared (?:to|with)\b/iu,
    sections: [
      { heading: 'At a glance', points: ['What they share', 'The main difference'] },
      { heading: 'Side by side', points: ['Strengths', 'Weaknesses', 'Cost'] },
      { heading: 'Which one to choose', points: [] },
    ],
  },
  {
    fits: /[?？]\s*$|^(?:what|why|when|where|who|which|how|is|are|do|does|can|should)\s/iu,
    sections: [
      { heading: 'The short answer', points: [] },
      { heading: 'The reasons behind it', points: ['Background', 'Evidence'] },
      { heading: 'In practice', points: ['An example', 'Exceptions'] },
    ],
  },
  {
    fits: /^(?:the |our |my )?(?:\d{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|top|best)\b/iu,
    sections: [
      { heading: 'At a glance', points: [] },
      { heading: 'One by one', points: ['What it is', 'Who it suits'] },
      { heading: 'How to choose', points: [] },
    ],
  },
];

const ANY: readonly OutlineSection[] = [
  { heading: 'Overview', points: [] },
  { heading: 'Background', points: [] },
  { heading: 'Key points', points: ['The main idea', 'Details', 'An example'] },
  { heading: 'Next steps', points: [] },
];

/** Sections for a topic by the form of its title: a how-to, a comparison, a question, a list, or anything else. */
export function sectionsFor(topic: string): readonly OutlineSection[] {
  return SHAPES.find(({ fits }) => fits.test(topic.trim()))?.sections ?? ANY;
}
