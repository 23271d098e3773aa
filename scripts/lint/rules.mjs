/** Rules of this workspace alone. */
export default {
  meta: { name: 'workspace' },
  rules: {
    'no-own-pools': {
      create: (context) => ({
        'NewExpression[callee.name="Pool"], NewExpression[callee.property.name="Pool"], NewExpression[callee.name="PrismaPg"][arguments.0.type!="Identifier"]'(
          node,
        ) {
          context.report({
            node,
            message: 'Open it with @blog-content/postgres: a connection that breaks would end the process.',
          });
        },
      }),
    },
  },
};
