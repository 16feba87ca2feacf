#Если Сервер Или ТолстыйКлиентОбычноеПриложение Или ВнешнееСоединение Тогда

#Region EventHandlers

// English script words are allowed in any module of a Russian configuration.
Procedure OnWrite(Cancel)
	
	If DataExchange.Load Then
		Return;
	EndIf;
	
	UpdateRetailFlag();
	
EndProcedure

#EndRegion

#Region Private

Procedure UpdateRetailFlag()
	
	If Розничное And Not ЗначениеЗаполнено(Ответственный) Then
		ОбщиеСредства.ДобавитьСообщениеТорговли(NStr("ru = 'Укажите ответственного.'; en = 'Enter the keeper.'"), "Ответственный");
	EndIf;
	
EndProcedure

#EndRegion

#КонецЕсли
