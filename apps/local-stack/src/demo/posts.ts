/** A post of the demo project; links to other posts are placeholders (contract §2.4.3). */
export interface DemoPost {
  readonly title: string;
  readonly slug: string;
  readonly content: string;
  readonly excerpt?: string;
  readonly featured_image_url?: string;
  readonly categories: readonly string[];
  readonly tags: readonly string[];
  readonly keyword?: string;
}

/** The demo's pictures in `images`, by name, with their alt texts. They were drawn for it. */
export const DEMO_IMAGES = {
  'weekend-loaf': 'A round loaf with three cuts on a wooden board',
  'stock-pot': 'A red pot of soup with a wooden spoon',
  whetstone: 'A knife on a whetstone',
  'knife-hero': 'A chef’s knife beside slices of leek',
  'winter-table': 'Soup, bread and a candle at a snowy window',
} as const;
/** Where the project's library serves them. */
export type DemoImages = Readonly<Record<keyof typeof DEMO_IMAGES, string>>;

/** The last one stays a draft until the demo publishes it: the others link to it already. */
export const demoPosts = (images: DemoImages): readonly DemoPost[] => [
  {
    title: 'A weekend loaf for people without a starter',
    slug: 'weekend-loaf',
    content:
      '<p>You need flour, water, salt, a pinch of dried yeast and patience. Mix them on Friday evening and let the bowl stand on the counter until morning.</p><h2>Saturday</h2><p>Fold the dough four times, an hour apart. It should feel like a full hot-water bottle. If it does not, read <a href="[INTERNAL:how-dough-feels]">how dough should feel</a> before you add flour.</p><h2>Sunday</h2><p>Bake it in a lidded pot, as hot as your oven goes. The crust sings when it cools.</p><blockquote>Bread forgives nearly everything except hurry.</blockquote>',
    featured_image_url: images['weekend-loaf'],
    categories: ['Baking'],
    tags: ['bread', 'beginners'],
    keyword: 'no-knead bread',
  },
  {
    title: 'How dough should feel at each step',
    slug: 'how-dough-feels',
    content:
      '<p>Recipes give you minutes. Hands give you better news.</p><h3>After mixing</h3><p>Rough, wet, unpromising. That is fine.</p><h3>After the first fold</h3><p>Smoother, and it pulls back a little when you let go.</p><h3>Before shaping</h3><p>Airy and soft; a wet finger leaves a dent that fills slowly. Then go on with <a href="[INTERNAL:weekend-loaf]">the weekend loaf</a>.</p>',
    categories: ['Baking', 'Technique'],
    tags: ['bread'],
  },
  {
    title: 'Salt: how much, and when',
    slug: 'salt-how-much',
    content:
      '<p>Two grams for every hundred grams of flour is where most bakers end up. Less tastes of cardboard; much more slows the yeast.</p><ul><li>Bread: 2 %</li><li>Pizza: 2.5 %</li><li>Brioche: 1.5 %</li></ul><p>For soups the rule is different: see <a href="[INTERNAL:stock-in-an-afternoon#salt]">stock in an afternoon</a>.</p>',
    categories: ['Technique'],
    tags: ['salt', 'basics'],
  },
  {
    title: 'Stock in an afternoon',
    slug: 'stock-in-an-afternoon',
    content: `<p>Roast the bones first. Everything good in stock comes from that half hour.</p><img src="${images['stock-pot']}" alt="A red pot of soup with a wooden spoon"><h2 id="salt">Salt at the end</h2><p>Stock reduces, and salt does not leave with the steam. Season the soup, not the stock.</p><p>Leftover bread from <a href="[INTERNAL:weekend-loaf]">the weekend loaf</a> makes it a meal.</p>`,
    categories: ['Soup'],
    tags: ['stock', 'basics'],
  },
  {
    title: 'Three soups from one pot of stock',
    slug: 'three-soups',
    content:
      '<p>Make <a href="[INTERNAL:stock-in-an-afternoon]">stock</a> on Sunday and you have three dinners.</p><ol><li>Leek and potato, with too much pepper.</li><li>Tomato, with the rind of a hard cheese.</li><li>Noodles, spring onion, and an egg: our <a href="[INTERNAL:noodle-night]">noodle night</a>.</li></ol>',
    categories: ['Soup'],
    tags: ['weeknight'],
  },
  {
    title: 'Noodle night',
    slug: 'noodle-night',
    content:
      '<p>Cook the noodles a minute less than the packet says. They go on cooking in the broth.</p><p>The egg is the hard part. Our notes on <a href="[INTERNAL:the-six-minute-egg]">the six-minute egg</a> explain the ice bath.</p>',
    categories: ['Weeknight'],
    tags: ['noodles', 'weeknight'],
    keyword: 'quick noodle soup',
  },
  {
    title: 'The six-minute egg',
    slug: 'the-six-minute-egg',
    content:
      '<p>Boiling water, fridge-cold eggs, six minutes, ice bath. Peel under the tap.</p><table><thead><tr><th>Minutes</th><th>Yolk</th></tr></thead><tbody><tr><td>5</td><td>runs</td></tr><tr><td>6</td><td>like honey</td></tr><tr><td>8</td><td>sets</td></tr></tbody></table><p>Best on <a href="[INTERNAL:noodle-night]">noodles</a>.</p>',
    categories: ['Technique'],
    tags: ['eggs', 'basics'],
  },
  {
    title: 'A small pantry that cooks for you',
    slug: 'small-pantry',
    content:
      '<p>Twenty things, most of them dry. With these and an onion there is always dinner.</p><p>Start with what <a href="[INTERNAL:three-soups]">three soups</a> need, then add anchovies.</p><h3>What we left out</h3><p>Truffle oil. You know why.</p>',
    categories: ['Kitchen'],
    tags: ['pantry', 'beginners'],
  },
  {
    title: 'Sharpening a knife without fear',
    slug: 'sharpening-a-knife',
    content: `<p>A 1,000-grit stone, ten minutes, and a steady angle. Sharp knives slip less.</p><figure><img src="${images.whetstone}" alt="A knife on a whetstone"><figcaption>About the height of two coins.</figcaption></figure><p>Try it on the leeks for <a href="[INTERNAL:three-soups]">soup</a>.</p>`,
    featured_image_url: images['knife-hero'],
    categories: ['Kitchen', 'Technique'],
    tags: ['knives'],
  },
  {
    title: 'Coffee before seven',
    slug: 'coffee-before-seven',
    content:
      '<p>One scoop, water just off the boil, four minutes. Nobody has to be awake for this.</p><p>While it steeps, take yesterday’s <a href="[INTERNAL:weekend-loaf]">loaf</a> and toast it.</p>',
    categories: ['Breakfast'],
    tags: ['coffee'],
  },
  {
    title: 'Jam in a frying pan',
    slug: 'jam-in-a-frying-pan',
    content:
      '<p>Wide pan, small batch, ten minutes. The fruit keeps its color because it never has time to lose it.</p><p>A spoon of it belongs on <a href="[INTERNAL:weekend-loaf]">fresh bread</a>, and next to <a href="[INTERNAL:coffee-before-seven]">early coffee</a>. Next month: <a href="[INTERNAL:what-we-cook-in-winter]">what we cook in winter</a>.</p>',
    categories: ['Breakfast'],
    tags: ['fruit', 'preserves'],
  },
  {
    title: 'What we cook in winter',
    slug: 'what-we-cook-in-winter',
    content:
      '<p>When the days are short we cook things that take long: <a href="[INTERNAL:stock-in-an-afternoon]">stock</a>, <a href="[INTERNAL:weekend-loaf]">bread</a>, and <a href="[INTERNAL:jam-in-a-frying-pan]">jam from the freezer’s last berries</a>.</p><p>In January we will add <a href="[INTERNAL:marmalade-diary]">a marmalade diary</a>.</p>',
    excerpt: 'Short days, long recipes: what our kitchen does from November to February.',
    featured_image_url: images['winter-table'],
    categories: ['Kitchen'],
    tags: ['winter', 'planning'],
    keyword: 'winter cooking',
  },
];
