import { useQuery } from '@tanstack/react-query';
import { Link, linkOptions, type LinkProps } from '@tanstack/react-router';
import { KeyRound, Send, Webhook, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { orNull } from '../../api/or-null.ts';
import { getPublicKeyUsageQueryKey, listPublishesOptions } from '../../generated/@tanstack/react-query.gen.ts';
import { getPublicKeyUsage } from '../../generated/sdk.gen.ts';
import { useProject } from '../../parts/project.tsx';
import { usePublicKey } from '../../api/use-public-key.ts';
import { home } from '../../strings/home.ts';
import { figuresOf, percentOf, requestsOf } from './figures.ts';
import styles from './home.module.css';

const text = home.figures;

/** How the week went, each figure with the page that has more of it. */
export function FigureStrip() {
  const path = { projectId: useProject().id };
  const publishes = useQuery(listPublishesOptions({ path, query: { limit: 50 } }));
  const query = { days: 7 };
  const [usageKey] = getPublicKeyUsageQueryKey({ path, query });
  const publicKey = usePublicKey(path.projectId);
  const usage = useQuery({
    queryKey: [{ ...usageKey, nullWhereNone: true }],
    queryFn: ({ signal }) => orNull(getPublicKeyUsage({ path, query, signal, throwOnError: true })),
  });
  const week = publishes.data && figuresOf(publishes.data.items, publishes.data.next_cursor === null, Date.now());
  const requests = usage.data && requestsOf(usage.data);
  const hasNoKey = publicKey.data === null && !requests?.total;
  return (
    <section className={styles['strip']} aria-label={text.label}>
      <Figure
        icon={Send}
        name={text.published}
        value={week && text.posts(week.posts, week.isMore)}
        said={week && text.postsText(week.posts)}
        link={linkOptions({ to: '/projects/$projectId/publishing', params: path })}
      />
      <Figure
        icon={Webhook}
        name={text.success}
        value={week && (week.ended === 0 ? text.none : text.percent(percentOf(week.delivered, week.ended)))}
        said={week && (week.ended === 0 ? text.noDeliveries : text.delivered(week.delivered, week.ended))}
        link={linkOptions({ to: '/projects/$projectId/webhooks/deliveries', params: path })}
      />
      <Figure
        icon={KeyRound}
        name={text.requests}
        value={hasNoKey ? text.none : requests?.total.toLocaleString()}
        said={hasNoKey ? text.noKey : text.requestsText}
        link={linkOptions({ to: '/projects/$projectId/api-access', params: path })}
      >
        {requests && requests.total > 0 && <Spark values={requests.byDay} />}
      </Figure>
    </section>
  );
}

function Figure(props: {
  icon: LucideIcon;
  name: string;
  /** Undefined until it is known. */
  value: string | undefined;
  said: string | undefined;
  link: LinkProps;
  children?: ReactNode;
}) {
  const { icon: Icon, name, value, said, link, children } = props;
  return (
    <Link {...link} className={styles['figure']}>
      <span className={styles['figureName']}>
        <Icon />
        {name}
      </span>
      <span className={styles['figureValue']}>
        {value ?? <span className={styles['unknown']} />}
        <span className={styles['figureSaid']}>{said}</span>
      </span>
      {children}
    </Link>
  );
}

const HEIGHT = 20;
const STEP = 6;

/** A bar a day, which the figure beside it says in sum. */
function Spark({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values);
  return (
    <svg className={styles['spark']} width={values.length * STEP} height={HEIGHT} aria-hidden>
      {values.map((value, day) => {
        const height = Math.max(1, (value / most) * HEIGHT);
        return <rect key={day} x={day * STEP} y={HEIGHT - height} width={STEP - 2} height={height} rx={1} />;
      })}
    </svg>
  );
}
