/**
 * Words that often begin a sentence, and are no names, in lower case: of the languages whose sentences are judged by
 * their first word, which are English, French and Spanish.
 */
export const COMMON_FIRST_WORDS: ReadonlySet<string> = new Set(
  `a about above absolutely according add adjust after again against ago air all allow almost alone along already also although
always always among an and another any anyone anything apart apply are around as ask at avoid away back bad be because become
billions dozens hundreds millions thousands
before begin beginners behind being below beside besides best better between beyond big boil both bring build business but buy by
call can care careful change check children choose clean clear click close cold combine come common companies compare complete
consider consumers contact continue cook cool could cover create customers cut daily data day days decide depending despite
details did different do does done dont down drink dry due during each early easy eat either else employees empty end enjoy enough
ensure especially even ever every everybody everyone everything evidence exactly except expect experience experts explore extra
fact families few fill finally find first five follow food for four free fresh from full further generally get give go good
great grind had half hand has have having he health heat help hence her here high his hold home hot how however i if ignore imagine
important in include increase indeed inside instead into is it its join just keep kids know large last later lastly learn least leave
less let life like likewise list little local long look looking lots low lower make managers many maybe mean means measure meanwhile
members men mind mix modern money more moreover most move much must my name near nearly need neither never nevertheless new next
night no nobody none nor not note nothing notice now of off often oil old on once one only open or order other others otherwise our
out outside over overall owners parents part people perhaps pick place plan plants please plus point pour practice prepare press
prices probably problems products professionals protect provide pull push put quality quick quite rather read readers ready real
record reduce regardless remember remove repeat replace report research researchers rest results rinse run safe same save say
scientists search second see select sell send serve set several shake share she short should show similar simple simply since six
size sleep small so some somebody someone something sometimes soon spend spread start starters stay steep step still stir stop store
students studies study such suppose surely surprisingly sweet take taste tea teachers teams tell ten test than that the their them then
there therefore these they thin things think third this those though three through throughout thus time times tip tips to today together
tomorrow too top total toward towards track traditional travel treat true try turn twice two type under unless unlike until up upon use
used users using usually very visit visitors wait walk want warm was wash watch water we wear weather well were what whatever when
whenever where whereas wherever whether which whichever while who whoever whole whose why wide will wipe with within without women wood
words work workers would write years yes yesterday yet you young your zero
ain aren can couldn didn doesn don hadn hasn haven isn mustn needn shouldn wasn weren won wouldn let
à afin ainsi alors après assez au aucun aujourd aussi autant autour autre autres aux avant avec beaucoup bien bon bonne car ce ceci
cela celle celles celui certains certaines ces cet cette ceux chacun chaque chez comme comment contre dans de depuis derrière des dès
deux donc du durant elle elles en encore enfin ensuite entre est et eux eau faites faire faut grâce hors ici il ils jamais je jusque
la là laissez le les leur leurs lors lorsque lui ma mais malgré même mes mettre mieux moins mon ne ni non nos notre nous on où ou oui
outre par parce parfois parmi pas pendant peu peut plus plusieurs pour pourquoi pourtant près presque puis puisque quand quant que quel
quelle quelles quels quelque quelques qui quoi rien sa sans se selon ses si sinon soit son sont sous souvent sur surtout ta tandis tant
tel telle tes toujours ton tous tout toute toutefois toutes très trop tu un une vers voici voilà vos votre vous
además ahora al algo alguien algún alguna algunas algunos allí ante antes aquel aquella aquellos aquí así aun aún aunque bajo bastante
buena buen bueno cada casi como cómo con contra cual cuál cualquier cuando cuándo cuanto cuánto da deja del desde después detrás donde
dónde dos durante el él ella ellas ellos en encima entonces entre era es esa esas ese eso esos esta está estas este esto estos fue gracias
ha hace hacia hasta hay haz hoy incluso jamás junto la las le lo los luego mas más mediante mejor mejores mi mientras mis mucha muchas
mucho muchos muy nada nadie ni ningún ninguna no nos nosotros nuestra nuestro nunca o otra otras otro otros para pero poco pocos pon por
porque pues puede puedes que qué quien quién quizá quizás se sea según ser si sí siempre sin sino sobre solo sólo son su sus tal también
tampoco tan tanto te tener tiene tienes toda todas todavía todo todos tras tu tus un una unas uno unos usa usted ustedes va varias
varios vez y ya yo`.split(/\s+/),
);
